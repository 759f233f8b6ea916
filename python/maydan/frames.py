"""DataFrames of whichever library there is."""

from __future__ import annotations

from typing import Any


def frame(columns: dict[str, list[Any]], library: str | None = None) -> Any:
    """A DataFrame of polars if it is there, else of pandas, unless `library` says which."""
    if library not in (None, "polars", "pandas"):
        raise ValueError(f"library: expected 'polars' or 'pandas', found {library!r}")
    if library != "pandas":
        try:
            import polars
        except ImportError:
            if library == "polars":
                raise
        else:
            return polars.DataFrame(columns, strict=False, infer_schema_length=None)
    try:
        import pandas
    except ImportError:
        raise ImportError("a DataFrame needs polars or pandas: pip install polars") from None
    return pandas.DataFrame(columns)
