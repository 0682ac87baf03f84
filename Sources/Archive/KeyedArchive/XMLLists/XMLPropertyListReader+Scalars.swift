internal import CofferBasics

extension XMLPropertyListReader {
    mutating func readBoolean(_ tag: XMLTag) throws(XMLFault) -> Bool {
        let text = try scanner.readText(of: tag).bytes
        guard text.allSatisfy(\.isBlank) else {
            throw XMLFault(.unexpectedText(in: tag.name.text), at: tag.offset)
        }
        return tag.name == .value(.true)
    }

    mutating func readReal(_ tag: XMLTag) throws(XMLFault) -> Double {
        let number = Double(xmlText: try scanner.readText(of: tag).bytes)
        guard let number else { throw XMLFault(.malformedReal, at: tag.offset) }
        return number
    }

    /// Reads a date as seconds since 2001-01-01 00:00:00 UTC.
    mutating func readDate(_ tag: XMLTag) throws(XMLFault) -> Double {
        let date = CalendarDate(xmlText: try scanner.readText(of: tag).bytes)
        guard let date else { throw XMLFault(.malformedDate, at: tag.offset) }
        guard date.exists, date.year > 0 else { throw XMLFault(.noSuchDate, at: tag.offset) }
        return Double(date.secondsSince1970 - CalendarDate.referenceDate)
    }

    mutating func readData(_ tag: XMLTag) throws(XMLFault) -> [UInt8] {
        let text = try scanner.readText(of: tag)
        do throws(Base64.Fault) {
            return try Base64.decoded(text.bytes.span)
        } catch {
            throw XMLFault(.malformedData(Base64Error(error.kind)), at: text.offset(of: error.index) ?? tag.offset)
        }
    }

    mutating func readInteger(_ tag: XMLTag) throws(XMLFault) -> Int128 {
        let text = try scanner.readText(of: tag).bytes
        var digits = text.trimmingXMLWhiteSpace
        let isNegative = digits.first == UInt8(ascii: "-")
        if isNegative || digits.first == UInt8(ascii: "+") { digits = digits.dropFirst() }
        let isHexadecimal = digits.starts(with: "0x".utf8) || digits.starts(with: "0X".utf8)
        if isHexadecimal { digits = digits.dropFirst(2) }
        let radix: UInt8 = isHexadecimal ? 16 : 10
        guard !digits.isEmpty, digits.allSatisfy({ $0.hexadecimalValue.map { $0 < radix } ?? false }) else {
            throw XMLFault(.malformedInteger, at: tag.offset)
        }
        var value: Int128 = 0
        for byte in digits {
            // Counting down from zero also reaches the smallest number, which has no positive counterpart.
            let (product, didOverflow) = value.multipliedReportingOverflow(by: Int128(radix))
            let (difference, didOverflowAgain) = product.subtractingReportingOverflow(
                Int128(byte.hexadecimalValue ?? 0)
            )
            guard !didOverflow, !didOverflowAgain else { throw XMLFault(.integerOutOfRange, at: tag.offset) }
            value = difference
        }
        guard isNegative || value != .min else { throw XMLFault(.integerOutOfRange, at: tag.offset) }
        return isNegative ? value : -value
    }
}

extension Double {
    /// Makes the number that `text` represents: decimal, or one of C's names for numbers that are not finite.
    ///
    /// As in C and Swift, a number too large for a `Double` becomes infinite.
    fileprivate init?(xmlText text: [UInt8]) {
        let number = text.trimmingXMLWhiteSpace
        let string = String(decoding: number, as: UTF8.self)
        switch string.lowercased() {
        case "nan": self = .nan
        case "inf", "+inf", "infinity", "+infinity": self = .infinity
        case "-inf", "-infinity": self = -.infinity
        default:
            // Swift would also accept hexadecimal numbers and the payload of a NaN.
            guard number.allSatisfy({ "0123456789+-.eE".utf8.contains($0) }) else { return nil }
            self.init(string)
        }
    }
}

extension CalendarDate {
    /// Parses `YYYY-MM-DDThh:mm:ssZ`; the date need not exist.
    fileprivate init?(xmlText text: [UInt8]) {
        let pattern = Array("0000-00-00T00:00:00Z".utf8)
        guard text.count == pattern.count else { return nil }
        var fields = [0]
        for (byte, model) in zip(text, pattern) {
            if model != UInt8(ascii: "0") {
                guard byte == model else { return nil }
                fields.append(0)
            } else {
                guard byte.isDigit else { return nil }
                fields[fields.count - 1] = fields[fields.count - 1] * 10 + Int(byte - UInt8(ascii: "0"))
            }
        }
        self.init(
            year: fields[0],
            month: fields[1],
            day: fields[2],
            hour: fields[3],
            minute: fields[4],
            second: fields[5]
        )
    }
}

extension [UInt8] {
    /// These bytes without leading and trailing white space.
    fileprivate var trimmingXMLWhiteSpace: ArraySlice<UInt8> {
        guard let start = firstIndex(where: { !$0.isBlank }),
            let end = lastIndex(where: { !$0.isBlank })
        else { return [] }
        return self[start...end]
    }
}
