//! The unix socket for a proxy on this machine. A stale socket of an earlier process is replaced;
//! any other file is left alone.

use std::{
    fs, io,
    os::unix::{
        fs::{FileTypeExt, PermissionsExt},
        net::{UnixListener, UnixStream},
    },
    path::Path,
};

/// Binds the socket for its owner and its group, which is the proxy's.
pub fn bind(path: &Path) -> io::Result<UnixListener> {
    make_way(path)?;
    let listener = UnixListener::bind(path)?;
    fs::set_permissions(path, fs::Permissions::from_mode(0o660))?;
    Ok(listener)
}

/// Removes a socket without a listener. Any other file stays and causes an error.
fn make_way(path: &Path) -> io::Result<()> {
    match fs::symlink_metadata(path) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(()),
        Err(error) => return Err(error),
        Ok(found) if !found.file_type().is_socket() => {
            return Err(io::Error::new(
                io::ErrorKind::AlreadyExists,
                "it is there and is no socket",
            ));
        }
        Ok(_) => {}
    }
    match UnixStream::connect(path) {
        Ok(_) => Err(io::ErrorKind::AddrInUse.into()),
        Err(error) if error.kind() == io::ErrorKind::ConnectionRefused => fs::remove_file(path),
        Err(error) => Err(error),
    }
}

#[cfg(test)]
mod tests {
    use super::super::socket::*;

    #[test]
    fn a_stale_socket_is_replaced() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("socket");
        drop(bind(&path).unwrap());
        assert!(path.exists());
        let _listener = bind(&path).unwrap();
        UnixStream::connect(&path).unwrap();
    }

    #[test]
    fn a_socket_in_use_is_not_replaced() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("socket");
        let _listener = bind(&path).unwrap();
        assert_eq!(bind(&path).unwrap_err().kind(), io::ErrorKind::AddrInUse);
        UnixStream::connect(&path).unwrap();
    }

    #[test]
    fn other_files_are_not_replaced() {
        let dir = tempfile::tempdir().unwrap();
        let (file, link) = (dir.path().join("file"), dir.path().join("link"));
        fs::write(&file, "precious").unwrap();
        std::os::unix::fs::symlink(&file, &link).unwrap();
        for path in [dir.path(), &file, &link] {
            let error = bind(path).unwrap_err();
            assert_eq!(error.kind(), io::ErrorKind::AlreadyExists, "{path:?}");
        }
        assert_eq!(fs::read_to_string(&file).unwrap(), "precious");
        assert!(link.is_symlink());
    }
}
