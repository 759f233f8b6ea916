//! Floor 9: the command line. One file a subcommand: arguments in, one call down, text out.
