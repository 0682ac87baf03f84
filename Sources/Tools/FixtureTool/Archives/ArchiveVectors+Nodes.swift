// Archives of exactly as many nodes as the limit allows, and one more.

extension ArchiveVectors {
    /// An archive of 262,144 nodes, unless something is changed.
    ///
    /// Whatever counts only beyond a bound is there up to the bound: four entries in every dictionary, four names in
    /// every class, 63 bytes in texts, keys and names.
    private struct Counted {
        var rootEntries: [(String, AppleNode)] = []
        var topEntries: [(String, AppleNode)] = [("a", .int(0)), ("b", .int(0)), ("c", .int(0))]
        var element = AppleNode.string(Counted.letters(63))
        var inline = AppleNode.string(Counted.letters(63))
        var fields: [(String, AppleNode)] = [(Counted.letters(63), .uid(0)), ("next", .uid(0))]
        var classNames = ["Badge", Counted.letters(63), "B", "NSObject"]
        var classEntries: [(String, AppleNode)] = [("a", .int(0)), ("b", .int(0))]
        var arrayNames = ["NSArray", "A", "B", "NSObject"]
        var urlKey = Counted.letters(63)
        var nilCount = 1

        static func letters(_ count: Int) -> String { String(repeating: "a", count: count) }

        /// The description of a class of nulls with `count` names.
        private func null(_ count: Int) -> AppleNode {
            `class`(["NSNull"] + Array(repeating: "A", count: count - 1), [])
        }

        private func `class`(_ names: [String], _ more: [(String, AppleNode)]) -> AppleNode {
            .dictionary(
                [("$classname", .string(names[0])), ("$classes", .array(names.map { .string($0) }))] + more
            )
        }

        var archive: AppleNode {
            // 1 for the array, 128 * 2,047 and 123 for the nulls, whose classes have long lists, 4 for the others.
            let elements =
                Array(repeating: UInt64(2), count: 128) + [3, 4, 5, 6] + Array(repeating: 0, count: nilCount)
            let objects: [AppleNode] = [
                .instance(7, ("NS.objects", .array(elements.map { .uid($0) })), ("a", .int(0)), ("b", .int(0))),
                .instance(8),
                .instance(11),
                element,
                .dictionary([("in", inline)] + fields + [("$class", .uid(9))]),
                .instance(10, ("NS.base", .uid(0)), ("NS.relative", .string("u")), (urlKey, .int(0))),
                `class`(arrayNames, classEntries),
                null(2050),
                `class`(classNames, classEntries),
                .class("NSURL", "NSObject"),
                null(126),
            ]
            guard
                case .dictionary(let entries) = AppleNode.archive(objects, top: [("root", .uid(1))] + topEntries)
            else { return .array([]) }
            return .dictionary(entries + rootEntries)
        }
    }

    private static func counted(
        _ name: String,
        _ comment: String,
        _ change: (inout Counted) -> Void
    ) -> Vector {
        var counted = Counted()
        change(&counted)
        return Vector(
            name: "nodes_\(name)",
            outcome: .limitExceeded("tooManyNodes(limit: 262144)"),
            settings: [("classes", "Badge")],
            comment: comment,
            body: counted.archive.propertyList
        )
    }

    static var nodes: [Vector] {
        let nulls = Array(repeating: "null, ", count: 129).joined()
        let letters = Counted.letters(63)
        let object =
            #"object Badge:\#(letters):B:NSObject {"\#(letters)": nil, "in": inline "\#(letters)", "next": nil}"#
        let more: (String, AppleNode) = ("m", .int(0))
        return [
            readable("nodes_262144", #"[\#(nulls)"\#(letters)", \#(object), url("u"), null]"#, classes: "Badge")
                .comment("as many nodes as the limit allows; each vector called nodes_ adds something that counts")
                .archive(Counted().archive),
            counted("nil", "one more UID 0 in an array") { $0.nilCount = 2 },
            counted("text", "text of 64 bytes") { $0.element = .string(Counted.letters(64)) },
            counted("text_utf16", "text of 32 UTF-16 units") {
                $0.element = .string(String(repeating: "\u{E9}", count: 32))
            },
            counted("data", "data of 64 bytes") { $0.element = .data(Array(repeating: 0, count: 64)) },
            counted("inline_text", "text of 64 bytes in a field") { $0.inline = .string(Counted.letters(64)) },
            counted("field_name", "a field name of 64 bytes") { $0.fields[0].0 = Counted.letters(64) },
            counted("entry", "an object with five entries") { $0.fields.append(more) },
            counted("further_key", "a key of 64 bytes that nothing looks for") { $0.urlKey = Counted.letters(64) },
            counted("class_entry", "class descriptions with five entries") { $0.classEntries.append(more) },
            counted("class_names", "a class with five names") { $0.classNames.append("C") },
            counted("class_name", "a class name of 64 bytes") { $0.classNames[1] = Counted.letters(64) },
            counted("known_class_names", "five names of a class that has a row") { $0.arrayNames.append("C") },
            counted("known_class_name", "64 bytes in a name of a class that has a row") {
                $0.arrayNames[1] = Counted.letters(64)
            },
            counted("root_entry", "five entries in the root") { $0.rootEntries.append(more) },
            counted("top_entry", "five entries in $top") { $0.topEntries.append(more) },
            counted("top_key", "a key of 64 bytes in $top") { $0.topEntries[0].0 = Counted.letters(64) },
            limit("shared_class_names", "tooManyNodes(limit: 262144)", "300 classes that share a list of 1,000 names")
                .list(sharedClassNames),
            limit("depth_nil_65", "tooDeep(limit: 64)", "UID 0 in an array at depth 64")
                .archive(
                    (1..<64).map { .instance(65, ("NS.objects", .uids(UInt64($0 + 1)))) }
                        + [.instance(65, ("NS.objects", .uids(0))), array]
                ),
        ]
    }

    /// An array of the nulls 2 to 301, whose classes 302 to 601 all have the same list of names.
    private static var sharedClassNames: RawPropertyList {
        let count = 300
        let firstNull = 21
        let firstClass = firstNull + count
        let firstUID = firstClass + count
        let firstClassUID = firstUID + count
        return RawPropertyList(
            objects: [
                .dictionary([(1, 5), (2, 6), (3, 7), (4, 10)]),
                .ascii("$version"), .ascii("$archiver"), .ascii("$top"), .ascii("$objects"),
                .int(100_000, byteCount: 4), .ascii("NSKeyedArchiver"),
                .dictionary([(8, 9)]), .ascii("root"), .uid(1),
                .array([11, 12] + Array(firstNull..<firstUID) + [20]),
                .ascii("$null"),
                .dictionary([(13, 14), (15, firstClassUID + count)]),
                .ascii("NS.objects"), .array(Array(firstUID..<firstClassUID)), .ascii("$class"),
                .ascii("$classname"), .ascii("NSNull"), .ascii("$classes"),
                .array(Array(repeating: 17, count: 1000)),
                .dictionary([(16, firstClassUID + count + 1), (18, firstClassUID + count + 2)]),
            ]
                + (0..<count).map { .dictionary([(15, firstClassUID + $0)]) }
                + Array(repeating: .dictionary([(16, 17), (18, 19)]), count: count)
                + (0..<count).map { .uid(UInt64($0 + 2), byteCount: 2) }
                + (0..<count).map { .uid(UInt64($0 + 2 + count), byteCount: 2) }
                + [.uid(UInt64(2 + 2 * count), byteCount: 2), .ascii("NSArray"), .array([firstClassUID + count + 1])],
            referenceByteCount: 2
        )
    }
}
