internal import CProgramStart

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
