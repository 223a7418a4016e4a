//! A certificate created during the test, for a server that speaks TLS.

use std::{
    path::{Path, PathBuf},
    process::Command,
};

pub struct Certificate {
    pub key: PathBuf,
    pub certificate: PathBuf,
}

impl Certificate {
    /// Creates a self-signed certificate for one name. A client that trusts it trusts no other
    /// certificate.
    pub fn make(dir: &Path, name: &str) -> Self {
        let [key, certificate] = ["key", "crt"].map(|end| dir.join(format!("{name}.{end}")));
        let output = Command::new("openssl")
            .args([
                "req",
                "-x509",
                "-newkey",
                "ec",
                "-pkeyopt",
                "ec_paramgen_curve:prime256v1",
            ])
            .args(["-nodes", "-days", "2", "-subj", &format!("/CN={name}")])
            .args(["-addext", &format!("subjectAltName=DNS:{name}")])
            // rustls accepts no CA certificate for a server, and OpenSSL would create one by
            // default.
            .args(["-addext", "basicConstraints=critical,CA:FALSE"])
            .arg("-keyout")
            .arg(&key)
            .arg("-out")
            .arg(&certificate)
            .output()
            .expect("openssl runs");
        assert!(
            output.status.success(),
            "{}",
            String::from_utf8_lossy(&output.stderr)
        );
        Self { key, certificate }
    }
}
