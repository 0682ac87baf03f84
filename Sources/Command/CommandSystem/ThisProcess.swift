internal import CProgramStart
internal import Glibc

// The process that runs the command: its arguments, its memory and its end.

/// The arguments of the process.
package enum ProcessArguments {
    /// The arguments, the program name first; nil for one that is not UTF-8, since a repaired one would differ.
    package static var words: [String?] {
        coffer_runtime_has_started()
        guard let start = unsafe coffer_words() else { return [] }
        var words: [String?] = []
        for index in 0..<Int(coffer_word_count()) {
            guard let word = unsafe start[index] else { break }
            words.append(unsafe String(validatingCString: word))
        }
        return words
    }
}

/// The end of the process.
package enum ProcessEnd {
    /// Restores the terminal, and ends the process with an exit code.
    package static func exit(_ status: UInt8) -> Never {
        HiddenTyping.end()
        Glibc.exit(Int32(status))
    }
}

/// Memory that was released.
package enum FreeMemory {
    /// Overwrites what was released on the first thread.
    ///
    /// Texts of Swift cannot be wiped: where one is drawn, searched or compared, copies of it are made and released.
    package static func overwrite() { coffer_overwrite_free_memory() }
}
