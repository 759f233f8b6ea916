//! The certificate of a run's own server, which workers get in the file that they join by.

use std::fs;

use rcgen::{CertifiedKey, generate_simple_self_signed};

use super::{FleetError, keys::FleetFolder};
use crate::disk::{IoError, write_file, write_secret_file};

/// The certificate of a server that is reached by these names, in PEM: the one that was made for them, or else a new one.
///
/// # Errors
/// When a name can be in no certificate, or the disk refuses.
pub fn of_run(folder: &FleetFolder, names: &[String]) -> Result<String, FleetError> {
    let [certificate, key] = folder.certificate();
    let for_names = certificate.with_extension("names");
    let wanted = names.join("\n");
    if key.exists() && fs::read_to_string(&for_names).is_ok_and(|known| known == wanted) {
        return Ok(fs::read_to_string(&certificate).map_err(IoError::at(&certificate))?);
    }
    let made = generate_simple_self_signed(names);
    let CertifiedKey { cert, signing_key } = made.map_err(|problem| FleetError::key(&certificate, problem))?;
    write_secret_file(&key, signing_key.serialize_pem().as_bytes())?;
    let text = cert.pem();
    for (path, content) in [(&certificate, &text), (&for_names, &wanted)] {
        write_file(path, |file| std::io::Write::write_all(file, content.as_bytes()))?;
    }
    Ok(text)
}
