//! Methods that functions have in common.

/// Defines methods that call those of the same name of `self.builtin`, the built-in function that a function wraps.
macro_rules! as_builtin {
    ($($method:ident($($arg:ident: $type:ty),*) -> $answer:ty;)*) => {$(
        fn $method(&self, $($arg: $type),*) -> $answer {
            self.builtin.inner().$method($($arg),*)
        }
    )*};
}
pub(crate) use as_builtin;

/// Defines `name()` and `signature()` from the fields of these names, or from a constant name.
macro_rules! name_and_signature {
    () => {
        fn name(&self) -> &str {
            self.name
        }

        name_and_signature!(@signature);
    };
    (@signature) => {
        fn signature(&self) -> &Signature {
            &self.signature
        }
    };
    ($name:expr) => {
        fn name(&self) -> &str {
            $name
        }

        name_and_signature!(@signature);
    };
}
pub(crate) use name_and_signature;
