/// What the user says about a password file.
package struct ReadingOptions: Sendable {
    /// Which columns of a CSV file have what; nil if the form is to be found by its header.
    package var columns: CSVColumns?
    /// Whether `&amp;` and other references are decoded in files of LastPass, which once wrote them.
    package var decodesHTMLEntities = false

    /// Options by which the form is found, and all is read as it is.
    package init() {}
}

/// The names of the columns of a CSV file; columns that are not named become fields.
package struct CSVColumns: Sendable {
    package var title: String?
    package var site: String?
    package var account: String?
    package var password: String?
    package var notes: String?
    /// The column of codes: URIs or secrets.
    package var oneTimePassword: String?

    /// No column is named.
    package init() {}
}
