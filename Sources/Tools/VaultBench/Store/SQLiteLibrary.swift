import Foundation

/// The machine's SQLite or SQLCipher library, loaded at run time so that the bench also works without it.
///
/// All C calls and pointers are in this file.
final class SQLiteLibrary {
    private typealias Open =
        @convention(c) (
            UnsafePointer<CChar>, UnsafeMutablePointer<OpaquePointer?>, CInt, UnsafePointer<CChar>?
        ) -> CInt
    private typealias Prepare =
        @convention(c) (
            OpaquePointer, UnsafePointer<CChar>, CInt, UnsafeMutablePointer<OpaquePointer?>,
            UnsafeMutableRawPointer?
        ) -> CInt
    private typealias Call = @convention(c) (OpaquePointer?) -> CInt
    private typealias Message = @convention(c) (OpaquePointer?) -> UnsafePointer<CChar>?
    /// The last argument is a function, or -1 to make the library copy the bytes.
    private typealias BindBlob = @convention(c) (OpaquePointer, CInt, UnsafeRawPointer?, CInt, Int) -> CInt
    private typealias BindDouble = @convention(c) (OpaquePointer, CInt, Double) -> CInt
    private typealias ColumnBlob = @convention(c) (OpaquePointer, CInt) -> UnsafeRawPointer?
    private typealias ColumnInt = @convention(c) (OpaquePointer, CInt) -> CInt

    fileprivate static let done: CInt = 101
    fileprivate static let row: CInt = 100
    /// Read and write, create, and no locking for threads, since the bench has only one.
    private static let openFlags: CInt = 0x2 | 0x4 | 0x8000
    private static let copies = -1

    private let openFunction: Open
    private let prepareFunction: Prepare
    private let closeFunction: Call
    private let stepFunction: Call
    private let resetFunction: Call
    private let finalizeFunction: Call
    private let messageFunction: Message
    private let bindBlobFunction: BindBlob
    private let bindDoubleFunction: BindDouble
    private let columnBlobFunction: ColumnBlob
    private let columnByteCountFunction: ColumnInt

    /// Loads the library with this file name, or returns nil if the machine does not have it.
    init?(named name: String) {
        guard let handle = dlopen(name, RTLD_NOW | RTLD_LOCAL) else { return nil }
        func symbol<Function>(_ name: String, _: Function.Type) -> Function? {
            dlsym(handle, "sqlite3_\(name)").map { unsafeBitCast($0, to: Function.self) }
        }
        guard let open = symbol("open_v2", Open.self), let prepare = symbol("prepare_v2", Prepare.self),
            let close = symbol("close", Call.self), let step = symbol("step", Call.self),
            let reset = symbol("reset", Call.self), let finalize = symbol("finalize", Call.self),
            let message = symbol("errmsg", Message.self), let bindBlob = symbol("bind_blob", BindBlob.self),
            let bindDouble = symbol("bind_double", BindDouble.self),
            let columnBlob = symbol("column_blob", ColumnBlob.self),
            let columnByteCount = symbol("column_bytes", ColumnInt.self)
        else { return nil }
        openFunction = open
        prepareFunction = prepare
        closeFunction = close
        stepFunction = step
        resetFunction = reset
        finalizeFunction = finalize
        messageFunction = message
        bindBlobFunction = bindBlob
        bindDoubleFunction = bindDouble
        columnBlobFunction = columnBlob
        columnByteCountFunction = columnByteCount
    }

    // MARK: - Calls

    fileprivate func opened(_ path: String) throws -> OpaquePointer {
        var database: OpaquePointer?
        let code = openFunction(path, &database, Self.openFlags, nil)
        guard code == 0, let database else { throw SQLiteError(code: code, message: path) }
        return database
    }

    fileprivate func prepared(_ text: String, _ database: OpaquePointer) throws -> OpaquePointer {
        var statement: OpaquePointer?
        let code = prepareFunction(database, text, -1, &statement, nil)
        guard code == 0, let statement else { throw error(code, database) }
        return statement
    }

    fileprivate func error(_ code: CInt, _ database: OpaquePointer) -> SQLiteError {
        SQLiteError(code: code, message: messageFunction(database).map { String(cString: $0) } ?? "")
    }

    fileprivate func close(_ database: OpaquePointer) { _ = closeFunction(database) }
    fileprivate func finalize(_ statement: OpaquePointer) { _ = finalizeFunction(statement) }
    fileprivate func step(_ statement: OpaquePointer) -> CInt { stepFunction(statement) }
    fileprivate func reset(_ statement: OpaquePointer) { _ = resetFunction(statement) }

    fileprivate func bind(_ bytes: [UInt8], _ statement: OpaquePointer, _ index: CInt) {
        _ = bytes.withUnsafeBytes { bytes in
            bindBlobFunction(statement, index, bytes.baseAddress, CInt(bytes.count), Self.copies)
        }
    }

    fileprivate func bind(_ number: Double, _ statement: OpaquePointer, _ index: CInt) {
        _ = bindDoubleFunction(statement, index, number)
    }

    fileprivate func bytes(_ statement: OpaquePointer, _ column: CInt) -> [UInt8] {
        let start = columnBlobFunction(statement, column)
        let count = Int(columnByteCountFunction(statement, column))
        return Array(UnsafeRawBufferPointer(start: start, count: count))
    }
}

/// An error of SQLite.
struct SQLiteError: Error {
    let code: CInt
    let message: String
}

/// An open database.
final class SQLiteDatabase {
    fileprivate let library: SQLiteLibrary
    fileprivate let pointer: OpaquePointer

    init(_ library: SQLiteLibrary, path: String) throws {
        self.library = library
        pointer = try library.opened(path)
    }

    deinit { library.close(pointer) }

    /// Runs a statement once, and returns the first column of the first row, if any.
    @discardableResult
    func run(_ text: String) throws -> String? {
        let statement = try SQLiteStatement(text, in: self)
        var answer: String?
        try statement.run([]) { row in
            if answer == nil { answer = String(decoding: row.bytes(0), as: UTF8.self) }
        }
        return answer
    }
}

/// A statement that is prepared once and run often.
final class SQLiteStatement {
    /// A value for a parameter of the statement.
    enum Value {
        case bytes([UInt8])
        case number(Double)
    }

    /// A row of the result, valid until the next one is requested.
    struct Row {
        fileprivate let library: SQLiteLibrary
        fileprivate let statement: OpaquePointer

        func bytes(_ column: CInt) -> [UInt8] { library.bytes(statement, column) }
    }

    private let database: SQLiteDatabase
    private let pointer: OpaquePointer

    init(_ text: String, in database: SQLiteDatabase) throws {
        self.database = database
        pointer = try database.library.prepared(text, database.pointer)
    }

    deinit { database.library.finalize(pointer) }

    /// Runs the statement, and passes each row to `body`.
    func run(_ values: [Value], _ body: (Row) -> Void = { _ in }) throws {
        let library = database.library
        for (index, value) in values.enumerated() {
            switch value {
            case .bytes(let bytes): library.bind(bytes, pointer, CInt(index + 1))
            case .number(let number): library.bind(number, pointer, CInt(index + 1))
            }
        }
        defer { library.reset(pointer) }
        while true {
            let code = library.step(pointer)
            if code == SQLiteLibrary.done { return }
            guard code == SQLiteLibrary.row else { throw library.error(code, database.pointer) }
            body(Row(library: library, statement: pointer))
        }
    }
}
