internal import CofferBasics
import VaultFiles

extension FileError.Reason {
    /// The reason as an error; the caller adds the operation and the path.
    struct Thrown: Error {
        let reason: FileError.Reason

        init(_ reason: FileError.Reason) {
            self.reason = reason
        }
    }
}

extension SimulatedDisk {
    /// Makes one call: checks for faults, applies the change that `body` returns, and records the call in the trace.
    ///
    /// `failed` returns the change that the call makes even if a fault makes it fail.
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
    /// Returns the effect of the first fault that applies; all faults count the call.
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
        callCount += 1
        if keepsTrace {
            trace.calls.append(Trace.Call(operation: operation, path: path, failure: failure, change: change))
        }
        if let change { image.apply(change, call: callCount) }
    }

    /// Returns how many of the requested bytes a call reads or writes.
    func byteCount(of asked: Int) -> Int { isHalved ? max(min(1, asked), asked / 2) : asked }

    /// Opens a file and gives the opening a number.
    mutating func open(_ file: Int, for access: FileAccess) -> SimulatedFile.Opening {
        openingCount += 1
        openCounts[file, default: 0] += 1
        return SimulatedFile.Opening(file: file, number: openingCount, access: access)
    }

    mutating func close(_ opening: SimulatedFile.Opening) {
        openCounts[opening.file, default: 1] -= 1
        if locks[opening.file] == opening.number { locks[opening.file] = nil }
        guard !keepsTrace, openCounts[opening.file] == 0, image.linkCount(of: opening.file) == 0 else { return }
        image.files[opening.file] = image.files[opening.file].settled([])
    }

    func directory(at path: String) throws(FileError.Reason.Thrown) -> Int {
        if let directory = image.directory(at: path) { return directory }
        throw .init(image.hasFile(above: path) ? .notADirectory : .notFound)
    }

    /// Whether the user has the access given by three permission bits.
    func allows(_ access: UInt32, permissions: UInt32, owner: UInt32) -> Bool {
        let bits = owner == user ? permissions >> 6 : permissions
        return bits & access == access
    }

    /// The number of bytes by which all existing files together may grow.
    var availableByteCount: Int {
        guard capacity < .max else { return .max }
        let usedByteCount = image.files.indices.reduce(0) { sum, file in
            let exists = openCounts[file, default: 0] > 0 || image.linkCount(of: file) > 0
            return exists ? sum + image.files[file].live.count : sum
        }
        return max(0, capacity - usedByteCount)
    }
}
