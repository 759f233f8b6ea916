//! Requests that another site has a client's browser make. A page there can have its own name stand for this server's
//! address (DNS rebinding); so the name that a request calls this server by must be one that only this server has, and
//! a WebSocket must come from a page of that name.

use std::net::{Ipv4Addr, Ipv6Addr};

use axum::http::{HeaderMap, header};

/// Whether a request calls this server by an address, by `localhost`, or by one of its names.
pub(super) fn is_our_name(headers: &HeaderMap, names: &[String]) -> bool {
    let Some(authority) = text(headers, &header::HOST) else { return false };
    let name = without_port(authority);
    let is_address = name.parse::<Ipv4Addr>().is_ok()
        || name
            .strip_prefix('[')
            .and_then(|name| name.strip_suffix(']'))
            .is_some_and(|n| n.parse::<Ipv6Addr>().is_ok());
    is_address || name.eq_ignore_ascii_case("localhost") || names.iter().any(|known| name.eq_ignore_ascii_case(known))
}

/// Whether a request comes from a page of this server, or from no page at all.
pub(super) fn is_our_page(headers: &HeaderMap) -> bool {
    if !headers.contains_key(header::ORIGIN) {
        return true;
    }
    let origin = text(headers, &header::ORIGIN).unwrap_or_default();
    let page = origin.strip_prefix("http://").or_else(|| origin.strip_prefix("https://"));
    let host = text(headers, &header::HOST);
    page.zip(host).is_some_and(|(page, host)| page.eq_ignore_ascii_case(host))
}

fn text<'a>(headers: &'a HeaderMap, name: &header::HeaderName) -> Option<&'a str> {
    headers.get(name)?.to_str().ok()
}

fn without_port(authority: &str) -> &str {
    match authority.rsplit_once(':') {
        Some((name, port)) if port.bytes().all(|byte| byte.is_ascii_digit()) => name,
        _ => authority,
    }
}
