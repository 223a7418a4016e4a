//! The macro that turns the entries of the table into constructors, the parser and the type of a key.

/// An entry is a doc comment (the contents), a variant, a constructor with its owner, a pattern, a Redis
/// type, a class and a lifetime. Keys that exist once come first, and have a constant instead of a
/// constructor.
macro_rules! schema {
    (
        $($(#[doc = $once_doc:literal])+
        $once:ident, $constant:ident = $once_name:literal,
        $once_type:ident, $once_class:ident, $once_lifetime:expr;)+
        ---
        $($(#[doc = $doc:literal])+
        $variant:ident, $constructor:ident($owner:ty) = $pattern:literal,
        $type:ident, $class:ident, $lifetime:expr;)+
    ) => {
        $($(#[doc = $once_doc])+
        pub(in crate::store) const $constant: &str = $once_name;)+

        $($(#[doc = $doc])+
        pub(in crate::store) fn $constructor(owner: impl Borrow<$owner>) -> String {
            const PLACE: Range<usize> = place_of(<$owner as OwnerText>::PLACEHOLDER, $pattern);
            let mut name = String::with_capacity($pattern.len() + OWNER_BYTES);
            name.push_str(&$pattern[..PLACE.start]);
            owner.borrow().write(&mut name);
            name.push_str(&$pattern[PLACE.end..]);
            name
        })+

        /// A key that the schema knows, and its owner.
        #[derive(Debug, Clone, PartialEq, Eq, Hash)]
        pub enum Key {
            $($(#[doc = $once_doc])+
            $once,)+
            $($(#[doc = $doc])+
            $variant($owner),)+
        }

        impl Key {
            /// Reads a name. `None` for a name that no entry makes.
            pub fn parse(name: &str) -> Option<Self> {
                $(if name == $once_name {
                    return Some(Self::$once);
                })+
                $({
                    const PLACE: Range<usize> = place_of(<$owner as OwnerText>::PLACEHOLDER, $pattern);
                    let owner = name.strip_prefix(&$pattern[..PLACE.start]);
                    let owner = owner.and_then(|text| text.strip_suffix(&$pattern[PLACE.end..]));
                    if let Some(owner) = owner.and_then(<$owner as OwnerText>::parse) {
                        return Some(Self::$variant(owner));
                    }
                })+
                None
            }

            /// Returns the name in Redis.
            pub fn name(&self) -> String {
                match self {
                    $(Self::$once => $constant.to_owned(),)+
                    $(Self::$variant(owner) => $constructor(owner),)+
                }
            }

            pub fn owner(&self) -> KeyOwner {
                match self {
                    $(Self::$once => KeyOwner::Site,)+
                    $(Self::$variant(owner) => owner.clone().into(),)+
                }
            }

            /// Returns the entry of the table.
            pub fn entry(&self) -> &'static Entry {
                match self {
                    $(Self::$once => &Entry {
                        pattern: $once_name,
                        redis_type: RedisType::$once_type,
                        class: Class::$once_class,
                        lifetime: $once_lifetime,
                        contents: concat!($($once_doc),+),
                    },)+
                    $(Self::$variant(_) => &Entry {
                        pattern: $pattern,
                        redis_type: RedisType::$type,
                        class: Class::$class,
                        lifetime: $lifetime,
                        contents: concat!($($doc),+),
                    },)+
                }
            }

            /// Returns every key of a user, a status or a list that follows from its id. Keys of idempotency
            /// keys and sessions have more in their names, and keys of lists are not those of a user.
            pub fn all_of(owner: &KeyOwner) -> Vec<Self> {
                let keys = [$(<$owner as OwnerText>::only_of(owner).map(Self::$variant),)+];
                keys.into_iter().flatten().collect()
            }
        }

        /// The patterns in the order of the table.
        #[cfg(test)]
        pub(super) const PATTERNS: &[&str] = &[$($once_name,)+ $($pattern,)+];
    };
}

pub(super) use schema;
