import MailLogin
import Testing

@Test func `a group that the entitlements do not declare is refused`() {
    #expect(MailLogin.add(in: "com.example.other") == errSecMissingEntitlement)
}

@Test func `a deleted login can be added again`() {
    #expect(MailLogin.add() == 0)
    #expect(MailLogin.delete() == 0)
    #expect(MailLogin.add() == 0)
    #expect(MailLogin.delete() == 0)
}
