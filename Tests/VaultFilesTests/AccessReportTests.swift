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
        allowedGroups: Set<UInt32> = []
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
        return AccessReport(of: status, reader: reader, allowedGroups: allowedGroups)
    }

    // MARK: - Findings

    @Test(arguments: [0o600, 0o400, 0o700, 0o200, 0] as [UInt32])
    func `a file for its owner is fine`(permissions: UInt32) {
        let report = report(permissions: permissions)
        #expect(report.findings == [])
        #expect(!report.refusesReading)
        #expect(!report.refusesWriting)
    }

    @Test(arguments: 0..<UInt32(0o1000))
    func `all permissions are judged, with the group and without`(permissions: UInt32) {
        let strict = report(permissions: permissions)
        let others = permissions & 0o077
        let expected = AccessReport.Finding.widePermissions(permissions, advised: permissions & 0o700)
        #expect(strict.findings == (others == 0 ? [] : [expected]))
        #expect(!strict.refusesReading)
        #expect(strict.refusesWriting == (permissions & 0o020 != 0 || permissions & 0o002 != 0))
        #expect(report(permissions: permissions, allowedGroups: [Self.group + 1]) == strict)

        let shared = report(permissions: permissions, allowedGroups: [Self.group, 7])
        let strangers = permissions & 0o007
        let advised = AccessReport.Finding.widePermissions(permissions, advised: permissions & 0o770)
        #expect(shared.findings == (strangers == 0 ? [] : [advised]))
        #expect(!shared.refusesReading)
        #expect(shared.refusesWriting == (permissions & 0o002 != 0))
    }

    @Test(arguments: 0..<UInt32(0o1000))
    func `who follows the advice is judged no more`(permissions: UInt32) {
        for allowedGroups in [[], [Self.group]] as [Set<UInt32>] {
            for case .widePermissions(_, let advised) in report(permissions: permissions, allowedGroups: allowedGroups)
                .findings
            {
                #expect(report(permissions: advised, allowedGroups: allowedGroups).findings == [])
            }
        }
    }

    @Test(arguments: [(1000, 1001), (0, 1000), (1000, 0), (0, 0), (1000, 1000)] as [(UInt32, UInt32)])
    func `root is like anybody else`(owner: UInt32, reader: UInt32) {
        let report = report(owner: owner, reader: reader)
        #expect(report.findings == (owner == reader ? [] : [.foreignOwner(owner, reader: reader)]))
        #expect(!report.refusesReading)
        #expect(!report.refusesWriting)
    }

    @Test(arguments: [0, 1, 2, 3])
    func `other names are told`(linkCount: Int) {
        let report = report(linkCount: linkCount)
        #expect(report.findings == (linkCount > 1 ? [.severalNames(linkCount)] : []))
        #expect(!report.refusesWriting)
    }

    @Test func `findings come in the order of their gravity`() {
        let report = report(permissions: 0o666, owner: 7, linkCount: 2)
        #expect(
            report.findings == [
                .foreignOwner(7, reader: 1000), .widePermissions(0o666, advised: 0o600), .severalNames(2),
            ]
        )
    }

    @Test func `what is no regular file is refused, and that is all there is to say`() {
        let report = report(permissions: 0o777, owner: 7, linkCount: 5, isRegular: false)
        #expect(report.findings == [.notARegularFile])
        #expect(report.refusesReading)
        #expect(report.refusesWriting)
    }

    // MARK: - Descriptions

    @Test(arguments: [
        (AccessReport.Finding.notARegularFile, "/a/b is not a regular file; name a file that is"),
        (
            .foreignOwner(7, reader: 1000),
            "/a/b belongs to user 7, not to user 1000, who reads it; if it should be yours, run: sudo chown 1000 /a/b"
        ),
        (
            .foreignOwner(7, reader: 0),
            "/a/b belongs to user 7, not to user 0, who reads it; run the program as user 7"
        ),
        (
            .severalNames(3),
            "/a/b has 3 names, of which the others keep the old content when it is replaced; "
                + "find them with: find / -xdev -samefile /a/b"
        ),
        (
            .widePermissions(0o644, advised: 0o600),
            "/a/b can be read by others than it should; run: chmod 600 /a/b"
        ),
        (
            .widePermissions(0o666, advised: 0o660),
            "/a/b can be read and written by others than it should; run: chmod 660 /a/b"
        ),
        (
            .widePermissions(0o777, advised: 0o700),
            "/a/b can be read and written and run by others than it should; run: chmod 700 /a/b"
        ),
        (.widePermissions(0o002, advised: 0), "/a/b can be written by others than it should; run: chmod 0 /a/b"),
    ])
    func `a finding tells what to do`(finding: AccessReport.Finding, text: String) {
        #expect(finding.description(of: "/a/b") == text)
    }

    @Test(
        .temporaryDirectory,
        arguments: [
            "plain", "a b", "it's", "'\u{301}; exit 1; '", "$(exit 1)", "-x", "a\\b", "\"", "*", "~", "鍵", "a\nb",
        ]
    )
    func `the advice can be run as it is`(name: String) throws {
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
