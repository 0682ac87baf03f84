import Foundation
import TestSupport
import Testing
import VaultFiles

@Suite("Access to files") struct AccessReportTests {
    private static let reader: UInt32 = 1000
    private static let group: UInt32 = 50

    private func report(
        permissions: UInt32 = 0o600,
        owner: UInt32 = reader,
        linkCount: Int = 1,
        isRegular: Bool = true,
        reader: UInt32 = reader,
        writerGroupIDs: Set<UInt32> = []
    ) -> AccessReport {
        let status = FileStatus(
            identity: FileStatus.Identity(device: 1, number: 2),
            byteCount: 0,
            isRegular: isRegular,
            linkCount: linkCount,
            owner: owner,
            group: Self.group,
            permissions: permissions
        )
        return AccessReport(of: status, reader: reader, writerGroupIDs: writerGroupIDs)
    }

    // MARK: - Findings

    @Test(arguments: [0o600, 0o400, 0o700, 0o200, 0] as [UInt32])
    func `a file that only its owner can access has no findings`(permissions: UInt32) {
        let report = report(permissions: permissions)
        #expect(report.findings == [])
        #expect(!report.refusesReading)
        #expect(!report.refusesWriting)
    }

    @Test(arguments: 0..<UInt32(0o1000))
    func `all permissions are judged, with and without an allowed group`(permissions: UInt32) {
        let strict = report(permissions: permissions)
        let others = permissions & 0o077
        let expected = AccessReport.Finding.widePermissions(permissions, advised: permissions & 0o700)
        #expect(strict.findings == (others == 0 ? [] : [expected]))
        #expect(!strict.refusesReading)
        #expect(strict.refusesWriting == (permissions & 0o020 != 0 || permissions & 0o002 != 0))
        #expect(report(permissions: permissions, writerGroupIDs: [Self.group + 1]) == strict)

        let shared = report(permissions: permissions, writerGroupIDs: [Self.group, 7])
        let strangers = permissions & 0o007
        let advised = AccessReport.Finding.widePermissions(permissions, advised: permissions & 0o770)
        #expect(shared.findings == (strangers == 0 ? [] : [advised]))
        #expect(!shared.refusesReading)
        #expect(shared.refusesWriting == (permissions & 0o002 != 0))
    }

    @Test(arguments: 0..<UInt32(0o1000))
    func `following the advice clears the finding`(permissions: UInt32) {
        for groups in [[], [Self.group]] as [Set<UInt32>] {
            let findings = report(permissions: permissions, writerGroupIDs: groups).findings
            for case .widePermissions(_, let advised) in findings {
                #expect(report(permissions: advised, writerGroupIDs: groups).findings == [])
            }
        }
    }

    @Test(arguments: [(1000, 1001), (0, 1000), (1000, 0), (0, 0), (1000, 1000)] as [(UInt32, UInt32)])
    func `root is judged like any other user`(owner: UInt32, reader: UInt32) {
        let report = report(owner: owner, reader: reader)
        #expect(report.findings == (owner == reader ? [] : [.foreignOwner(owner, reader: reader)]))
        #expect(!report.refusesReading)
        #expect(!report.refusesWriting)
    }

    @Test(arguments: [0, 1, 2, 3])
    func `hard links are reported`(linkCount: Int) {
        let report = report(linkCount: linkCount)
        #expect(report.findings == (linkCount > 1 ? [.multipleHardLinks(linkCount)] : []))
        #expect(!report.refusesWriting)
    }

    @Test func `findings are ordered by severity`() {
        let report = report(permissions: 0o666, owner: 7, linkCount: 2)
        #expect(
            report.findings == [
                .foreignOwner(7, reader: 1000), .widePermissions(0o666, advised: 0o600), .multipleHardLinks(2),
            ]
        )
    }

    @Test func `a file that is not regular is refused, without further findings`() {
        let report = report(permissions: 0o777, owner: 7, linkCount: 5, isRegular: false)
        #expect(report.findings == [.notARegularFile])
        #expect(report.refusesReading)
        #expect(report.refusesWriting)
    }

    // MARK: - Descriptions

    @Test(arguments: [
        (AccessReport.Finding.notARegularFile, "/a/b is not a regular file; use a regular file instead"),
        (
            .foreignOwner(7, reader: 1000),
            "/a/b belongs to user 7, not to user 1000; if it should be yours, run: sudo chown 1000 /a/b"
        ),
        (
            .foreignOwner(7, reader: 0),
            "/a/b belongs to user 7, not to user 0; run the program as user 7"
        ),
        (
            .multipleHardLinks(3),
            "/a/b has 3 names (hard links); the others keep the old content when it is replaced; "
                + "find them with: find / -xdev -samefile /a/b"
        ),
        (
            .widePermissions(0o644, advised: 0o600),
            "/a/b can be read by other users; run: chmod 600 /a/b"
        ),
        (
            .widePermissions(0o666, advised: 0o660),
            "/a/b can be read and written by other users; run: chmod 660 /a/b"
        ),
        (
            .widePermissions(0o777, advised: 0o700),
            "/a/b can be read and written and run by other users; run: chmod 700 /a/b"
        ),
        (.widePermissions(0o002, advised: 0), "/a/b can be written by other users; run: chmod 0 /a/b"),
    ])
    func `a finding says what to do`(finding: AccessReport.Finding, text: String) {
        #expect(finding.description(of: "/a/b") == text)
    }

    @Test(
        .temporaryDirectory,
        arguments: [
            "plain", "a b", "it's", "'\u{301}; exit 1; '", "$(exit 1)", "-x", "a\\b", "\"", "*", "~", "鍵", "a\nb",
        ]
    )
    func `the advised command can be run as printed`(name: String) throws {
        let place = try Place()
        try place.make(name)
        chmod(place.path(name), 0o666)
        let text = AccessReport.Finding.widePermissions(0o666, advised: 0o600).description(of: name)
        let command = try #require(text.range(of: "run: "))
        let shell = Process()
        shell.executableURL = URL(filePath: "/bin/sh")
        shell.arguments = ["-c", String(text[command.upperBound...])]
        shell.currentDirectoryURL = URL(filePath: place.path)
        try shell.run()
        shell.waitUntilExit()
        #expect(shell.terminationStatus == 0)
        #expect(place.mode(name) == 0o600)
    }
}
