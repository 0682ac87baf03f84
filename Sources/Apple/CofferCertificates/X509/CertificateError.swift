/// Why a certificate was rejected, and where in its bytes.
package struct CertificateError: Error, Equatable, Sendable {
    /// What is wrong.
    package let fault: Fault
    /// The offset of the invalid element, in bytes from the start of the data.
    package let offset: Int

    /// Makes an error about the element at `offset`.
    package init(_ fault: Fault, at offset: Int) {
        self.fault = fault
        self.offset = offset
    }

    /// What is wrong with an element.
    package enum Fault: Equatable, Sendable {
        // MARK: DER

        /// The element reaches beyond the one that contains it.
        case truncated
        /// The tag number is larger than 30.
        case unsupportedTag
        /// The length is indefinite, not in its shortest form, or has more than four bytes.
        case invalidLength
        /// There is no element where one is required.
        case missingElement
        /// The element has another tag than the one required.
        case unexpectedTag
        /// The element follows the last one allowed.
        case unexpectedElement
        /// The list must have at least one element.
        case emptyList
        /// The value is neither `00` nor `FF`.
        case invalidBoolean
        /// The integer is negative, not in its shortest form, or does not fit in 32 bits.
        case invalidInteger
        /// The number of unused bits is missing, or there are not that many bits.
        case invalidBitString

        // MARK: Certificates

        /// The version field says neither 2 nor 3; a certificate of version 1 must not have the field.
        case unsupportedVersion
        /// The serial number is empty or longer than 37 bytes.
        case invalidSerialNumber
        /// The date is malformed or does not exist.
        case invalidDate
        /// There are 10,000 extensions or more.
        case tooManyExtensions
        /// An extension with policies or their mappings has more than 8,192 bytes.
        case tooManyPolicies
        /// A critical extension of a known kind has a malformed value.
        case invalidCriticalExtension
        /// The fields of an extension do not fit together, or have unsupported values.
        case invalidExtension
    }
}
