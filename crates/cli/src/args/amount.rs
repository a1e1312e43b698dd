//! Amounts as people write them: group sizes, and sizes of memory.
//!
//! It must never round or guess a unit. It is separate because several commands take them. Read `plan.rs` and
//! `release.rs` for who does.

/// Returns a group size.
pub fn count(text: &str) -> Result<u64, String> {
    match text.trim().replace('_', "").parse::<u64>() {
        Ok(count) if count <= 1_000_000_000_000 => Ok(count),
        Ok(_) | Err(_) => Err("a group size is a whole number from 0 to 1000000000000".into()),
    }
}

/// Returns a number of bytes, at least what grouping needs.
pub fn bytes(text: &str) -> Result<u64, String> {
    let wrong = || "a size is a number with a unit, such as 500MB, 2GB or 2GiB".to_string();
    let text = text.trim();
    let digits = text.find(|sign: char| !sign.is_ascii_digit()).unwrap_or(text.len());
    let number: u64 = text[..digits].parse().map_err(|_| wrong())?;
    let unit = match text[digits..].trim().to_ascii_lowercase().as_str() {
        "" | "b" => 1,
        "k" | "kb" => 1_000,
        "kib" => 1 << 10,
        "m" | "mb" => 1_000_000,
        "mib" => 1 << 20,
        "g" | "gb" => 1_000_000_000,
        "gib" => 1 << 30,
        "t" | "tb" => 1_000_000_000_000,
        "tib" => 1 << 40,
        _ => return Err(wrong()),
    };
    match number.checked_mul(unit) {
        Some(bytes) if bytes >= 64 << 20 => Ok(bytes),
        Some(_) => Err("grouping needs at least 64MiB".into()),
        None => Err(wrong()),
    }
}
