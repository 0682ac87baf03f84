// The help as JSON.
extension Help {
    /// All verbs and the global options.
    static var overviewJSON: JSON {
        [
            "verbs": .array(VerbTable.verbs.map(json)),
            "options": .array((Option.global + Option.beforeVerb).map(json)),
        ]
    }

    /// The help of one verb.
    static func json(_ verb: Verb) -> JSON {
        [
            "name": .string(verb.name), "topic": .string(verb.topic.rawValue), "summary": .string(verb.summary),
            "usage": .string(verb.usage), "details": .string(verb.details),
            "options": .array(verb.options.filter { !$0.isHidden }.map(json)),
            "examples": .array(verb.examples.map { ["call": .string($0.call), "purpose": .string($0.purpose)] }),
        ]
    }

    private static func json(_ option: Option) -> JSON {
        [
            "names": .array(option.names.map { .string($0) }), "usage": .string(option.usage),
            "summary": .string(option.summary),
        ]
    }
}
