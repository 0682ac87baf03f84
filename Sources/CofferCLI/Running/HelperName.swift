/// Names of the program that mean a verb: other programs look for helpers by their names.
enum HelperName {
    private static let verbs = [
        "git-credential-coffer": "git-credential", "docker-credential-coffer": "docker-credential",
        "coffer-askpass": "askpass",
    ]

    /// The words of the command line, with the verb that the name of the program stands for.
    static func words(_ surroundings: Surroundings) -> [String] {
        guard let verb = verbs[surroundings.programName] else { return surroundings.arguments }
        // What is asked comes from others, and is no option whatever it begins with.
        guard verb != "askpass" else { return [verb, "--"] + surroundings.arguments }
        return [verb] + surroundings.arguments
    }
}
