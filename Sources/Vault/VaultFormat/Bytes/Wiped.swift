internal import CofferBasics

/// A value that can overwrite its content.
protocol Wipeable: Sendable {
    mutating func wipe()
}

/// An immutable value that is wiped when the last reference to it is released.
///
/// Storage that the value shares with copies elsewhere is not wiped.
final class Wiped<Value: Wipeable>: Sendable {
    /// A number, since a pointer would not be Sendable; every thread may read the value, and only `deinit` changes it.
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
