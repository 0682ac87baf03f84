internal import Coffer
internal import CofferBasics

extension Verb {
    static let awsHelper = Verb(
        "helper aws",
        .programs,
        "Print an access key for AWS programs",
        operands: [.service, .optionalAccount],
        options: [.itemClass],
        details: """
            AWS programs run it if a profile names it as its credential_process.

            The account of the item is the access key ID, and the secret is the secret access key. A session is stored \
            as the JSON that `aws configure export-credentials` prints; it is not printed once it has expired.
            """,
        examples: [
            Example(call: "coffer set aws AKIAIOSFODNN7EXAMPLE", purpose: "store an access key"),
            Example(
                call: "aws configure set credential_process 'coffer helper aws aws'",
                purpose: "let the default profile use it"
            ),
            Example(
                call: "aws configure export-credentials | coffer set sts session --force",
                purpose: "store a session"
            ),
        ]
    ) { run in
        let credential = try ServedCredential(run, run.selectionOfClass())
        let keys = ["AccessKeyId", "SecretAccessKey", "SessionToken", "Expiration", "AccountId"]
        let values =
            try credential.texts(of: keys)
            ?? [
                "AccessKeyId": HeldSecret(copying: credential.item.account.bytes.span),
                "SecretAccessKey": credential.secret,
            ]
        for key in keys.prefix(2) where values[key]?.byteCount ?? 0 == 0 {
            throw CommandError(.undecodable, "the credential \(credential.selection.description) has no \(key)")
        }
        try run.check(expiry: values["Expiration"], of: credential.selection)
        try run.output.write(
            #"{"Version":1,"#,
            members: keys.map { ($0, values[$0]) },
            "}",
            of: credential.selection.description,
            for: "AWS"
        )
    }
}
