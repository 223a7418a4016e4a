//! Typed calls of scripts: a struct for each script, with a field for each key and argument, in the order of
//! the header. The store sends them to Redis; the tests of scripts run them and compare the names of the
//! fields with the header.

/// A call as text, for the tests of scripts.
#[derive(Debug, Clone)]
pub struct ScriptCall {
    pub script: &'static str,
    pub key_names: &'static [&'static str],
    pub keys: Vec<String>,
    pub argument_names: &'static [&'static str],
    pub arguments: Vec<String>,
}

/// The keys of one field. An absent key is left out, so only the last fields can be absent.
pub(in crate::store) trait Keys {
    fn add_to(&self, keys: &mut Vec<String>);
}

impl Keys for String {
    fn add_to(&self, keys: &mut Vec<String>) {
        keys.push(self.clone());
    }
}

impl Keys for Option<String> {
    fn add_to(&self, keys: &mut Vec<String>) {
        keys.extend(self.clone());
    }
}

impl Keys for Vec<String> {
    fn add_to(&self, keys: &mut Vec<String>) {
        keys.extend_from_slice(self);
    }
}

/// Declares the calls of scripts: `Call = SCRIPT(keys; arguments)`.
macro_rules! script_calls {
    ($(
        $name:ident = $script:ident(
            $($key:ident: $keys:ty),*;
            $($argument:ident: $type:ty),* $(,)?
        );
    )*) => {$(
        #[derive(Debug, Clone)]
        pub struct $name {
            $(pub $key: $keys,)*
            $(pub $argument: $type,)*
        }

        impl $name {
            pub(in crate::store) const SCRIPT: &'static $crate::store::redis::scripts::Script =
                &$crate::store::redis::scripts::$script;

            /// Returns the command that runs the script.
            pub(in crate::store) fn command(&self) -> redis::Cmd {
                let call = $crate::store::redis::script_call::ScriptCall::from(self);
                let command = Self::SCRIPT.on(call.keys);
                $crate::store::redis::scripts::With::with(command, call.arguments)
            }

        }

        impl From<&$name> for $crate::store::redis::script_call::ScriptCall {
            fn from(call: &$name) -> Self {
                let mut keys = Vec::new();
                $($crate::store::redis::script_call::Keys::add_to(&call.$key, &mut keys);)*
                Self {
                    script: $name::SCRIPT.name,
                    key_names: &[$(stringify!($key)),*],
                    keys,
                    argument_names: &[$(stringify!($argument)),*],
                    arguments: vec![$(call.$argument.to_string()),*],
                }
            }
        }
    )*};
}
pub(in crate::store) use script_calls;
