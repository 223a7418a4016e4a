//! A browser's familiar name, from its User-Agent header.

/// Part of a User-Agent and its browser. The first match counts, because most agents name several.
const BROWSERS: [(&str, &str); 11] = [
    ("Edg/", "Edge"),
    ("EdgA/", "Edge"),
    ("OPR/", "Opera"),
    ("SamsungBrowser/", "Samsung Internet"),
    ("Firefox/", "Firefox"),
    ("FxiOS/", "Firefox"),
    ("CriOS/", "Chrome"),
    ("Chromium/", "Chromium"),
    ("HeadlessChrome/", "Chrome"),
    ("Chrome/", "Chrome"),
    ("Safari/", "Safari"),
];

/// Part of a User-Agent and its system.
const SYSTEMS: [(&str, &str); 7] = [
    ("Android", "Android"),
    ("iPhone", "iPhone"),
    ("iPad", "iPad"),
    ("Windows", "Windows"),
    ("CrOS", "ChromeOS"),
    ("Mac OS X", "macOS"),
    ("Linux", "Linux"),
];

/// Returns `Firefox on Linux`. An unknown agent is shown as it is.
pub fn name(agent: &str) -> String {
    let find = |known: &[(&str, &'static str)]| {
        let fits = known.iter().find(|(says, _)| agent.contains(says));
        fits.map(|(_, name)| *name)
    };
    match (find(&BROWSERS), find(&SYSTEMS)) {
        _ if agent.is_empty() => "Unknown browser".to_owned(),
        (Some(browser), Some(system)) => format!("{browser} on {system}"),
        (Some(browser), None) => browser.to_owned(),
        (None, _) => agent.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::name;

    #[test]
    fn a_browser_is_named_with_its_system() {
        let webkit = "AppleWebKit/537.36 (KHTML, like Gecko)";
        for (agent, expected) in [
            (
                "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0".to_owned(),
                "Firefox on Linux",
            ),
            (
                format!("Mozilla/5.0 (Windows NT 10.0; Win64; x64) {webkit} Chrome/140.0.0.0 Safari/537.36"),
                "Chrome on Windows",
            ),
            (
                format!("Mozilla/5.0 (Windows NT 10.0; Win64; x64) {webkit} Chrome/140.0.0.0 Safari/537.36 Edg/140.0.0.0"),
                "Edge on Windows",
            ),
            (
                format!("Mozilla/5.0 (Linux; Android 10; K) {webkit} Chrome/140.0.0.0 Mobile Safari/537.36"),
                "Chrome on Android",
            ),
            (
                "Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.5 Mobile/15E148 Safari/604.1".to_owned(),
                "Safari on iPhone",
            ),
            (
                "Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.5 Safari/605.1.15".to_owned(),
                "Safari on macOS",
            ),
        ] {
            assert_eq!(name(&agent), expected, "{agent}");
        }
    }

    #[test]
    fn an_unknown_browser_is_shown_verbatim() {
        assert_eq!(name("curl/8.5.0"), "curl/8.5.0");
        assert_eq!(name(""), "Unknown browser");
    }
}
