// SwiftPM requires a source file.
