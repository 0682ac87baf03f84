import MailLogin
import Testing

@Test func `a deleted login can be added again`() {
    #expect(MailLogin.add() == 0)
    #expect(MailLogin.delete() == 0)
    #expect(MailLogin.add() == 0)
    #expect(MailLogin.delete() == 0)
}
