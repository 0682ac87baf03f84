internal import CofferBasics
internal import CofferPasswordFiles

/// A file of variables for a command: lines of `NAME=VALUE`.
struct EnvironmentFile {
    /// A variable with its value.
    struct Variable {
        let name: String
        let value: HeldSecret
    }

    /// The variables whose values are references.
    private(set) var secrets: [SecretAssignment] = []
    /// The others.
    private(set) var plain: [Variable] = []

    /// Reads a file; throws if a line is invalid.
    init(atPath path: String, _ run: CommandRun) throws {
        let content = try run.secret(inFile: path)
        let file: PasswordFile
        do throws(PasswordFileError) {
            file = try PasswordFile.variables(in: content)
        } catch {
            throw CommandError(.usage, "\(path.printable): \(error.description)")
        }
        if let refused = file.refused.first { throw CommandError(.usage, "\(path.printable), \(refused)") }
        for record in file.records {
            let place = "\(path.printable), \(record.place)"
            guard let value = record.secret else { continue }
            do {
                try SecretAssignment.checkVariable(record.account)
            } catch let error as CommandError {
                throw error.at(place)
            }
            let reference = try value.withSpan { try SecretReference($0, at: place) }
            guard let reference else {
                let hasZero = value.withSpan { bytes in bytes.indices.contains { bytes[$0] == 0 } }
                guard !hasZero else {
                    throw CommandError(.usage, "\(place): a zero byte, which a variable cannot hold")
                }
                plain.append(Variable(name: record.account, value: value))
                continue
            }
            secrets.append(SecretAssignment(record.account, reference))
        }
    }
}
