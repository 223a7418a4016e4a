//! Typed calls of scripts: a struct for each script, with a field for each key and argument, in the order of
//! the header. The store sends them to Redis. The tests of scripts run the same commands and compare the
//! names of the fields with the header.

use redis::{Arg, Cmd, ToSingleRedisArg};

use super::scripts::{Script, With};

/// A typed call of a script; [`script_calls!`] declares it.
pub trait TypedCall {
    fn script(&self) -> &'static Script;

    fn command(&self) -> Cmd;
}

/// A call as text, for the tests of scripts.
#[derive(Debug, Clone)]
pub struct ScriptCall {
    pub script: &'static str,
    pub key_names: Vec<&'static str>,
    pub keys: Vec<String>,
    pub argument_names: &'static [&'static str],
    pub arguments: Vec<String>,
}

impl ScriptCall {
    /// Reads the words of a command: EVALSHA, the hash, the number of keys, the keys, the arguments.
    pub(in crate::store) fn of(script: &'static str, command: &Cmd) -> Self {
        let words = command.args_iter().filter_map(|word| match word {
            Arg::Simple(bytes) => Some(String::from_utf8_lossy(bytes).into_owned()),
            _ => None,
        });
        let mut words = words.skip(2);
        let key_count = words.next().and_then(|count| count.parse().ok());
        Self {
            script,
            key_names: Vec::new(),
            keys: words.by_ref().take(key_count.unwrap_or_default()).collect(),
            argument_names: &[],
            arguments: words.collect(),
        }
    }
}

/// The keys of one field.
pub trait Keys {
    /// Returns the names of the keys of a field with this name.
    fn names(field: &'static str) -> Vec<&'static str>;
    fn add_to<'a>(&'a self, keys: &mut Vec<&'a str>);
}

impl Keys for String {
    fn names(field: &'static str) -> Vec<&'static str> {
        vec![field]
    }

    fn add_to<'a>(&'a self, keys: &mut Vec<&'a str>) {
        keys.push(self);
    }
}

impl<K: Keys> Keys for Option<K> {
    fn names(field: &'static str) -> Vec<&'static str> {
        K::names(field)
    }

    fn add_to<'a>(&'a self, keys: &mut Vec<&'a str>) {
        self.iter().for_each(|key| key.add_to(keys));
    }
}

impl<K: Keys> Keys for Vec<K> {
    fn names(field: &'static str) -> Vec<&'static str> {
        K::names(field)
    }

    fn add_to<'a>(&'a self, keys: &mut Vec<&'a str>) {
        self.iter().for_each(|key| key.add_to(keys));
    }
}

/// Builds the argument for the stored value that a change is based on: '=' and the value. '' expects no value.
pub fn expected(stored: Option<&str>) -> String {
    stored.map_or_else(String::new, |stored| format!("={stored}"))
}

/// Adds an argument of a type that is always one word.
pub fn with_one(command: Cmd, argument: impl ToSingleRedisArg) -> Cmd {
    command.with(argument)
}

/// Declares the calls of scripts: `Call = "script"(keys; arguments)`. The last key and the last argument can be
/// in brackets. Such a field has any number of words, and no field after it can take its place. `over slots`
/// marks a script that does the same in several slots.
macro_rules! script_calls {
    ($(
        $name:ident = $script:literal $(over $slots:ident)? (
            $($key:ident),* $(,)? $([$keys:ident: $keys_type:ty])?;
            $($argument:ident: $type:ty),* $(,)? $([$arguments:ident: $arguments_type:ty])?
        );
    )*) => {$(
        #[derive(Debug, Clone)]
        pub struct $name {
            $(pub $key: String,)*
            $(pub $keys: $keys_type,)?
            $(pub $argument: $type,)*
            $(pub $arguments: $arguments_type,)?
        }

        impl $name {
            pub(in crate::store) const SCRIPT: &'static $crate::store::redis::scripts::Script =
                {
                    static SCRIPT: $crate::store::redis::scripts::Script =
                        $crate::store::redis::scripts::Script::new(
                            $script,
                            include_str!(concat!($script, ".lua")),
                        );
                    &SCRIPT
                };
        }

        impl $crate::store::redis::script_call::TypedCall for $name {
            fn script(&self) -> &'static $crate::store::redis::scripts::Script {
                Self::SCRIPT
            }

            fn command(&self) -> redis::Cmd {
                use $crate::store::redis::script_call::Keys;

                let mut keys = Vec::new();
                $(Keys::add_to(&self.$key, &mut keys);)*
                $(Keys::add_to(&self.$keys, &mut keys);)?
                let slots: &[&str] = &[$(stringify!($slots))?];
                let command = match slots {
                    [] => Self::SCRIPT.on(&keys),
                    _ => Self::SCRIPT.over(&keys),
                };
                $(let command = $crate::store::redis::script_call::with_one(command, &self.$argument);)*
                $(let command = $crate::store::redis::scripts::With::with(command, &self.$arguments);)?
                command
            }
        }

        impl From<&$name> for $crate::store::redis::script_call::ScriptCall {
            fn from(call: &$name) -> Self {
                use $crate::store::redis::script_call::{Keys, TypedCall};

                Self {
                    key_names: [
                        $(String::names(stringify!($key)),)*
                        $(<$keys_type>::names(stringify!($keys)),)?
                    ].concat(),
                    argument_names: &[$(stringify!($argument),)* $(stringify!($arguments))?],
                    ..Self::of($name::SCRIPT.name, &call.command())
                }
            }
        }
    )*};
}
pub(in crate::store) use script_calls;

/// Declares structs of keys that a call has or omits together.
macro_rules! key_groups {
    ($($(#[$meta:meta])* $name:ident($($key:ident: $type:ty),* $(,)?);)*) => {$(
        $(#[$meta])*
        #[derive(Debug, Clone)]
        pub struct $name {
            $(pub $key: $type,)*
        }

        impl $crate::store::redis::script_call::Keys for $name {
            fn names(_: &'static str) -> Vec<&'static str> {
                use $crate::store::redis::script_call::Keys;
                [$(<$type as Keys>::names(stringify!($key))),*].concat()
            }

            fn add_to<'a>(&'a self, keys: &mut Vec<&'a str>) {
                $($crate::store::redis::script_call::Keys::add_to(&self.$key, keys);)*
            }
        }
    )*};
}
pub(in crate::store) use key_groups;
