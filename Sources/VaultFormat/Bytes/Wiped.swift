internal import CofferBasics

/// A value that can overwrite what it holds.
protocol Wipeable: Sendable {
    mutating func wipe()
}

/// Holds a value that never changes, and wipes it when the last reference goes.
///
/// Parts of the value that are held elsewhere too stay as they are.
final class Wiped<Value: Wipeable>: Sendable {
    /// A number, since a pointer would not be Sendable: all may read the value, and only `deinit` changes it.
    private let address: UInt

    init(_ value: consuming Value) {
        let memory = UnsafeMutableBufferPointer<Value>.allocate(capacity: 1)
        memory.initializeElement(at: 0, to: value)
        address = UInt(bitPattern: memory.baseAddress)
    }

    private var memory: UnsafeMutableBufferPointer<Value> {
        UnsafeMutableBufferPointer(start: UnsafeMutablePointer(bitPattern: address), count: 1)
    }

    var value: Value { memory[0] }

    deinit {
        memory[0].wipe()
        memory.deinitialize()
        memory.deallocate()
    }
}

extension [UInt8]: Wipeable {}
