internal import CofferBasics
import VaultFiles

extension FileError.Reason {
    /// The reason as an error: who makes the call adds what was called, and of which file.
    struct Thrown: Error {
        let reason: FileError.Reason

        init(_ reason: FileError.Reason) {
            self.reason = reason
        }
    }
}

extension SimulatedDisk {
    /// Makes one call: asks the faults, does what `body` says that it changes, and notes it in the trace.
    ///
    /// `failed` is what the call changes although a fault makes it fail.
    func call<Result>(
        _ operation: FileError.Operation,
        _ path: String,
        failed: (SimulatedFault.Effect) -> DiskChange? = { _ in nil },
        _ body: (inout State) throws(FileError.Reason.Thrown) -> (change: DiskChange?, result: Result)
    ) throws(FileError) -> Result {
        try state.withLock { state throws(FileError) in
            let effect = state.strike(operation)
            switch effect {
            case .failure(let reason)?, .failureHalfway(let reason)?:
                state.note(operation, path, effect.flatMap(failed), reason)
                throw FileError(operation, path, reason: reason)
            case .half?, nil:
                state.isHalved = effect != nil
            }
            do throws(FileError.Reason.Thrown) {
                let (change, result) = try body(&state)
                state.note(operation, path, change, nil)
                return result
            } catch {
                state.note(operation, path, nil, error.reason)
                throw FileError(operation, path, reason: error.reason)
            }
        }
    }
}

extension SimulatedDisk.State {
    /// The effect of the first fault that strikes; all of them count the call.
    fileprivate mutating func strike(_ operation: FileError.Operation) -> SimulatedFault.Effect? {
        var effect: SimulatedFault.Effect?
        var remaining: [SimulatedFault] = []
        for var fault in faults {
            let strikes = fault.strikes(operation)
            if strikes { effect = effect ?? fault.effect }
            if !strikes || fault.isSticky { remaining.append(fault) }
        }
        faults = remaining
        return effect
    }

    fileprivate mutating func note(
        _ operation: FileError.Operation,
        _ path: String,
        _ change: DiskChange?,
        _ failure: FileError.Reason?
    ) {
        trace.calls.append(Trace.Call(operation: operation, path: path, failure: failure, change: change))
        if let change { image.apply(change, call: trace.calls.count) }
    }

    /// As many bytes as a call reads or writes of those that it was asked for.
    func byteCount(of asked: Int) -> Int { isHalved ? max(min(1, asked), asked / 2) : asked }

    /// A file that was opened, by the number that its opening has.
    mutating func open(_ file: Int, for access: FileAccess) -> SimulatedFile.Opening {
        openingCount += 1
        openCounts[file, default: 0] += 1
        return SimulatedFile.Opening(file: file, number: openingCount, access: access)
    }

    mutating func close(_ opening: SimulatedFile.Opening) {
        openCounts[opening.file, default: 1] -= 1
        if locks[opening.file] == opening.number { locks[opening.file] = nil }
    }

    func directory(at path: String) throws(FileError.Reason.Thrown) -> Int {
        if let directory = image.directory(at: path) { return directory }
        throw .init(image.hasFile(above: path) ? .notADirectory : .notFound)
    }

    /// Whether the user may do what the three bits of `access` say.
    func allows(_ access: UInt32, permissions: UInt32, owner: UInt32) -> Bool {
        let bits = owner == user ? permissions >> 6 : permissions
        return bits & access == access
    }

    /// How many bytes the files that are still there may grow together.
    var availableByteCount: Int {
        guard capacity < .max else { return .max }
        let usedByteCount = image.files.indices.reduce(0) { sum, file in
            let exists = openCounts[file, default: 0] > 0 || image.linkCount(of: file) > 0
            return exists ? sum + image.files[file].live.count : sum
        }
        return max(0, capacity - usedByteCount)
    }
}
