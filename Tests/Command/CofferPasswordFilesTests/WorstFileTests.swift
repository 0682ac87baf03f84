import CofferBasics
import CofferPasswordFiles
import Testing

/// A file of each form whose records share as much as the form allows, or are as small as it allows.
///
/// Records of docker and of a dump of macOS share nothing, and are too large in their files to exceed the limit.
struct WorstFile: CustomTestStringConvertible, Sendable {
    let name: String
    let bytes: [UInt8]

    var testDescription: String { "\(name), \(bytes.count) bytes" }

    init(_ name: String, _ text: String) {
        self.init(name, Array(text.utf8))
    }

    init(_ name: String, _ bytes: [UInt8]) {
        (self.name, self.bytes) = (name, bytes)
    }

    private static let long = String(repeating: "n", count: 200)

    private static func list(_ count: Int, _ element: (Int) -> String, separator: String = "") -> String {
        (0..<count).map(element).joined(separator: separator)
    }

    private static func zip(_ name: String, _ content: String) -> [UInt8] {
        var zip = ZipBytes()
        zip.add(name, content)
        return zip.written
    }

    static let all: [WorstFile] = json + keePass + tables + lines

    private static let json = [
        WorstFile(
            "collections.json",
            #"{"encrypted":false,"collections":[{"id":"a","name":"\#(long)"}],"items":[{"type":1,"collectionIds":["#
                + list(65_000, { _ in #""a""# }, separator: ",") + "]}]}"
        ),
        WorstFile(
            "tags.json",
            #"{"folders":[{"uuid":"a","title":"\#(long)"}],"items":[{"template_type":"x","folders":["#
                + list(65_000, { _ in #""a""# }, separator: ",") + "]}]}"
        ),
        WorstFile(
            "folders.json",
            #"{"version":"1","vaults":{"v":{"folders":["#
                + list(60, { #"{"id":"\#($0)","parentId":"\#($0 - 1)","name":"\#(long)"}"# }, separator: ",")
                + #"],"items":["# + list(2000, { _ in #"{"folderId":"59"}"# }, separator: ",") + "]}}}"
        ),
        WorstFile(
            "codes.json",
            #"{"version":1,"exporterRpId":"x","accounts":[{"items":[{"title":""# + list(100, { _ in long })
                + #"","credentials":["# + list(900, { _ in #"{"type":"totp","secret":"JBSWY3DP"}"# }, separator: ",")
                + "]}]}]}"
        ),
        WorstFile(
            "items.1pux",
            zip(
                "export.data",
                #"{"accounts":[{"vaults":[{"attrs":{"name":"\#(long)"},"items":["#
                    + list(23_000, { _ in #"{"item":{}}"# }, separator: ",") + "]}]}]}"
            )
        ),
    ]

    private static let keePass = [
        WorstFile(
            "groups.xml",
            "<KeePassFile><Root><Group>" + list(58, { _ in "<Group><Name>\(long)</Name>" })
                + list(1100, { _ in "<Entry/>" }) + list(58, { _ in "</Group>" }) + "</Group></Root></KeePassFile>"
        ),
        WorstFile(
            "attachments.xml",
            "<KeePassFile><Meta><Binaries><Binary ID='0'>\(list(4000, { _ in "AAAAAAAA" }))</Binary></Binaries></Meta>"
                + "<Root><Group><Entry>" + list(750, { _ in "<Binary><Key>f</Key><Value Ref='0'/></Binary>" })
                + "</Entry></Group></Root></KeePassFile>"
        ),
    ]

    private static let tables = [
        WorstFile(
            "columns.csv",
            "group,title,username,password" + list(600, { ",\($0 + 1000)\(long.prefix(190))" }) + "\n"
                + list(100, { _ in "a,b,c,d" + list(600, { _ in ",1" }) + "\n" })
        ),
        WorstFile("rows.csv", "name,url,username,password\n" + list(32_500, { _ in "a\n" })),
        WorstFile("rows.zip", zip("a.csv", "name,url,username,password\n" + list(32_500, { _ in "a\n" }))),
    ]

    private static let lines = [
        WorstFile("netrc", list(140_000, { _ in "a " })),
        WorstFile(".env", list(32_500, { "\($0)=\n" })),
        WorstFile(".npmrc", list(30_000, { "//\($0):_=\n" })),
        WorstFile(".pypirc", list(32_500, { _ in "[a]\n" })),
        // A name of 50,000 bytes, which each of the other lines has: it was searched for each of them.
        WorstFile(
            "credentials",
            "[a]\naws_access_key_id=a\n\(list(250, { _ in long }))=1\n" + list(96_000, { _ in " a\n" })
        ),
        WorstFile(".git-credentials", list(31_500, { _ in "http://a:b@c\n" })),
    ]
}

/// A file of 20 KB took 3.6 GB and eight minutes, since its items shared long names: such a file is refused while it is
/// read, whatever its form.
@Suite("Worst files") struct WorstFileTests {
    @Test(arguments: WorstFile.all) func `what records share is counted before it is written out`(worst: WorstFile) {
        let error = fileError { _ = try PasswordFile.read(HeldSecret(worst.bytes), name: worst.name) }
        #expect(error?.description.contains("counting what they share") == true, "\(error?.description ?? "read")")
        #expect(worst.bytes.count <= 512 << 10)
    }

    @Test func `records may have 32 times the size of the file, or 16 MiB`() {
        // Attachments of 60,000 bytes, which have 80,000 in the file: 250 of them have 15 MB, and 400 have 30 times the
        // size of the file.
        func read(attachmentCount: Int, times: Int) -> PasswordFileError? {
            let content = String(repeating: "AAAA", count: 20_000)
            let binaries = (0..<attachmentCount).map { "<Binary ID='\($0)'>\(content)</Binary>" }.joined()
            let values = (0..<attachmentCount).map { "<Binary><Key>f</Key><Value Ref='\($0)'/></Binary>" }.joined()
            let entries = String(repeating: "<Entry>\(values)</Entry>", count: times)
            let text =
                "<KeePassFile><Meta><Binaries>\(binaries)</Binaries></Meta><Root><Group>\(entries)</Group></Root>"
                + "</KeePassFile>"
            return fileError { _ = try PasswordFile.read(HeldSecret(text), name: "a.xml") }
        }
        #expect(read(attachmentCount: 1, times: 250) == nil)
        #expect(read(attachmentCount: 1, times: 300) != nil)
        #expect(read(attachmentCount: 10, times: 40) == nil)
        #expect(read(attachmentCount: 10, times: 50) != nil)
    }

    @Test func `the name of a file in an archive is not in the place of each record as a whole`() throws {
        var zip = ZipBytes()
        zip.add(String(repeating: "n", count: 60_000) + ".csv", "name,url,username,password\na,b,c,d\n")
        let file = try PasswordFile.read(HeldSecret(zip.written), name: "a.zip")
        #expect(file.records.first?.place == String(repeating: "n", count: 50) + "\u{2026}, line 2")
    }
}
