// What is wrong with certificates, with what revokes them, and with what they signed.

/// The certificate is for another host.
public let errSecHostNameMismatch: OSStatus = -67602
/// A critical extension is not known.
public let errSecUnknownCriticalExtensionFlag: OSStatus = -67603
/// The certificate does not say whether it may sign others.
public let errSecNoBasicConstraints: OSStatus = -67604
/// The certificate does not say that it is one of an authority.
public let errSecNoBasicConstraintsCA: OSStatus = -67605
/// The identifier of the authority's key is wrong.
public let errSecInvalidAuthorityKeyID: OSStatus = -67606
/// The identifier of the subject's key is wrong.
public let errSecInvalidSubjectKeyID: OSStatus = -67607
/// The policy does not permit what the key is used for.
public let errSecInvalidKeyUsageForPolicy: OSStatus = -67608
/// The extended usage of the key is wrong.
public let errSecInvalidExtendedKeyUsage: OSStatus = -67609
/// The identifiers of subject and issuer do not fit together.
public let errSecInvalidIDLinkage: OSStatus = -67610
/// The chain is longer than one of its certificates permits.
public let errSecPathLengthConstraintExceeded: OSStatus = -67611
/// The certificate at the end of the chain cannot be a root.
public let errSecInvalidRoot: OSStatus = -67612
/// The list of revoked certificates is too old.
public let errSecCRLExpired: OSStatus = -67613
/// The list of revoked certificates is for later.
public let errSecCRLNotValidYet: OSStatus = -67614
/// There is no list of revoked certificates where it should be.
public let errSecCRLNotFound: OSStatus = -67615
/// The server with the list of revoked certificates does not answer.
public let errSecCRLServerDown: OSStatus = -67616
/// The address of the list of revoked certificates makes no sense.
public let errSecCRLBadURI: OSStatus = -67617
/// The certificate has an extension that is not known.
public let errSecUnknownCertExtension: OSStatus = -67618
/// The list of revoked certificates has an extension that is not known.
public let errSecUnknownCRLExtension: OSStatus = -67619
/// The list of revoked certificates is not trusted.
public let errSecCRLNotTrusted: OSStatus = -67620
/// The list of revoked certificates does not satisfy the policy.
public let errSecCRLPolicyFailed: OSStatus = -67621
/// The point that issues the list of revoked certificates does not fit.
public let errSecIDPFailure: OSStatus = -67622
/// None of the addresses of the message is in the certificate.
public let errSecSMIMEEmailAddressesNotFound: OSStatus = -67623
/// The extended usage of the key does not permit signing or encrypting mail.
public let errSecSMIMEBadExtendedKeyUsage: OSStatus = -67624
/// The usage of the key does not permit signing or encrypting mail.
public let errSecSMIMEBadKeyUsage: OSStatus = -67625
/// The certificate for mail does not mark the usage of its key as critical.
public let errSecSMIMEKeyUsageNotCritical: OSStatus = -67626
/// The certificate for mail has no address.
public let errSecSMIMENoEmailAddress: OSStatus = -67627
/// The certificate for mail does not mark its other names as critical.
public let errSecSMIMESubjAltNameNotCritical: OSStatus = -67628
/// The extended usage of the key does not permit TLS.
public let errSecSSLBadExtendedKeyUsage: OSStatus = -67629
/// The answer about revocation (OCSP) cannot be read.
public let errSecOCSPBadResponse: OSStatus = -67630
/// The question about revocation (OCSP) makes no sense.
public let errSecOCSPBadRequest: OSStatus = -67631
/// The service that knows about revocation (OCSP) cannot be reached.
public let errSecOCSPUnavailable: OSStatus = -67632
/// The service for revocation (OCSP) does not know this certificate.
public let errSecOCSPStatusUnrecognized: OSStatus = -67633
/// The data end too early.
public let errSecEndOfData: OSStatus = -67634
/// Whether all certificates are still good could not be found out.
public let errSecIncompleteCertRevocationCheck: OSStatus = -67635
/// The network failed.
public let errSecNetworkFailure: OSStatus = -67636
/// The certificate of the service for revocation (OCSP) does not lead to a trusted root.
public let errSecOCSPNotTrustedToAnchor: OSStatus = -67637
/// Somebody changed the record meanwhile.
public let errSecRecordModified: OSStatus = -67638
/// The signature of the answer about revocation (OCSP) is wrong.
public let errSecOCSPSignatureError: OSStatus = -67639
/// The answer about revocation (OCSP) names nobody who signed it.
public let errSecOCSPNoSigner: OSStatus = -67640
/// The service for revocation (OCSP) says that the question is malformed.
public let errSecOCSPResponderMalformedReq: OSStatus = -67641
/// The service for revocation (OCSP) says that it failed itself.
public let errSecOCSPResponderInternalError: OSStatus = -67642
/// The service for revocation (OCSP) wants to be asked later.
public let errSecOCSPResponderTryLater: OSStatus = -67643
/// The service for revocation (OCSP) wants questions to be signed.
public let errSecOCSPResponderSignatureRequired: OSStatus = -67644
/// The service for revocation (OCSP) refuses this question.
public let errSecOCSPResponderUnauthorized: OSStatus = -67645
/// The answer about revocation (OCSP) is to another question.
public let errSecOCSPResponseNonceMismatch: OSStatus = -67646
/// The chain of a signature of code has the wrong length.
public let errSecCodeSigningBadCertChainLength: OSStatus = -67647
/// A certificate that signed code does not say whether it may sign others.
public let errSecCodeSigningNoBasicConstraints: OSStatus = -67648
/// A certificate that signed code permits a chain of another length.
public let errSecCodeSigningBadPathLengthConstraint: OSStatus = -67649
/// The certificate has no extended usage that permits signing code.
public let errSecCodeSigningNoExtendedKeyUsage: OSStatus = -67650
/// The code was signed with a certificate for development only.
public let errSecCodeSigningDevelopment: OSStatus = -67651
/// The chain of a signature of resources has the wrong length.
public let errSecResourceSignBadCertChainLength: OSStatus = -67652
/// The extended usage of the key does not permit signing resources.
public let errSecResourceSignBadExtKeyUsage: OSStatus = -67653
/// The trust settings say that this certificate is not to be trusted.
public let errSecTrustSettingDeny: OSStatus = -67654
/// The name of the subject is empty or malformed.
public let errSecInvalidSubjectName: OSStatus = -67655
/// A statement of the qualified certificate is not known.
public let errSecUnknownQualifiedCertStatement: OSStatus = -67656
/// MobileMe will look at the request later.
public let errSecMobileMeRequestQueued: OSStatus = -67657
/// MobileMe sent the request somewhere else.
public let errSecMobileMeRequestRedirected: OSStatus = -67658
/// MobileMe answered with an error.
public let errSecMobileMeServerError: OSStatus = -67659
/// MobileMe could not be reached.
public let errSecMobileMeServerNotAvailable: OSStatus = -67660
/// MobileMe has such an entry already.
public let errSecMobileMeServerAlreadyExists: OSStatus = -67661
/// A service of MobileMe failed.
public let errSecMobileMeServerServiceErr: OSStatus = -67662
/// MobileMe still has an earlier request of this kind.
public let errSecMobileMeRequestAlreadyPending: OSStatus = -67663
/// MobileMe has no request of this kind.
public let errSecMobileMeNoRequestPending: OSStatus = -67664
/// MobileMe could not verify the request for a certificate.
public let errSecMobileMeCSRVerifyFailure: OSStatus = -67665
/// MobileMe found that things contradict each other.
public let errSecMobileMeFailedConsistencyCheck: OSStatus = -67666
