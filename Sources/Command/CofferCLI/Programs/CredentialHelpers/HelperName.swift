/// Names of the program that stand for a verb, since other programs find helpers by name.
enum HelperName {
    private static let verbs = [
        "git-credential-coffer": ["helper", "git"], "docker-credential-coffer": ["helper", "docker"],
        "cargo-credential-coffer": ["helper", "cargo"], "coffer-askpass": ["helper", "askpass"],
        "security": [VerbTable.security],
    ]

    /// The arguments, preceded by the verb that the name of the program stands for.
    static func words(_ context: CommandContext) -> [String] {
        guard let verb = verbs[context.programName] else { return context.arguments }
        // The question comes from other programs, so it is never an option, whatever it begins with.
        guard verb.last != "askpass" else { return verb + ["--"] + context.arguments }
        // Cargo passes this to every program.
        return verb + context.arguments.filter { verb.last != "cargo" || $0 != "--cargo-plugin" }
    }
}
