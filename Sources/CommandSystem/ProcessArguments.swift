internal import CProgramStart

/// The words that the process was started with.
package enum ProcessArguments {
    /// The words, the name of the program first; nil for one that is no text: to repair it would name something else.
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
