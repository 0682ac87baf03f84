// Written by `./dev fixtures` from Spec/status-codes.tsv.

/// The operation succeeded.
public let errSecSuccess: OSStatus = 0

/// This function, or this condition for this class of items, is not supported.
public let errSecUnimplemented: OSStatus = -4

/// The disk is full.
public let errSecDiskFull: OSStatus = -34

/// The file could not be read or written.
public let errSecIO: OSStatus = -36

/// The file is already open for writing.
public let errSecOpWr: OSStatus = -49

/// The request is invalid: a key, a value or the type of a value is wrong.
public let errSecParam: OSStatus = -50

/// This program does not have permission to write the file.
public let errSecWrPerm: OSStatus = -61

/// Not enough memory is available.
public let errSecAllocate: OSStatus = -108

/// The user canceled the operation.
public let errSecUserCanceled: OSStatus = -128

/// The request is not valid at this time.
public let errSecBadReq: OSStatus = -909

/// An internal component failed.
public let errSecInternalComponent: OSStatus = -2070

/// Core Foundation failed for an unknown reason.
public let errSecCoreFoundationUnknown: OSStatus = -4960

/// The peer broke the rules of the TLS protocol.
public let errSSLProtocol: OSStatus = -9800

/// The peers support no common cipher suite.
public let errSSLNegotiation: OSStatus = -9801

/// The peer ended the TLS connection with a fatal alert.
public let errSSLFatalAlert: OSStatus = -9802

/// The TLS operation has to wait for data, and was asked not to.
public let errSSLWouldBlock: OSStatus = -9803

/// The TLS session to resume was not found.
public let errSSLSessionNotFound: OSStatus = -9804

/// The peer closed the TLS connection.
public let errSSLClosedGraceful: OSStatus = -9805

/// The TLS connection was closed because of an error.
public let errSSLClosedAbort: OSStatus = -9806

/// The certificate chain of the peer is invalid.
public let errSSLXCertChainInvalid: OSStatus = -9807

/// The certificate of the peer is malformed.
public let errSSLBadCert: OSStatus = -9808

/// A cryptographic operation of TLS failed.
public let errSSLCrypto: OSStatus = -9809

/// TLS failed internally.
public let errSSLInternal: OSStatus = -9810

/// The module for TLS could not be attached.
public let errSSLModuleAttach: OSStatus = -9811

/// The certificate chain of the peer ends in a root that is not trusted.
public let errSSLUnknownRootCert: OSStatus = -9812

/// The certificate chain of the peer does not end in a root.
public let errSSLNoRootCert: OSStatus = -9813

/// A certificate of the peer has expired.
public let errSSLCertExpired: OSStatus = -9814

/// A certificate of the peer is not valid yet.
public let errSSLCertNotYetValid: OSStatus = -9815

/// The peer closed the TLS connection without notice.
public let errSSLClosedNoNotify: OSStatus = -9816

/// The buffer for TLS data is too small.
public let errSSLBufferOverflow: OSStatus = -9817

/// The peer chose an invalid cipher suite.
public let errSSLBadCipherSuite: OSStatus = -9818

/// The peer reports an unexpected message.
public let errSSLPeerUnexpectedMsg: OSStatus = -9819

/// The peer reports a record with a wrong authentication code.
public let errSSLPeerBadRecordMac: OSStatus = -9820

/// The peer reports that it could not decrypt a record.
public let errSSLPeerDecryptionFail: OSStatus = -9821

/// The peer reports a record that is too large.
public let errSSLPeerRecordOverflow: OSStatus = -9822

/// The peer reports that it could not decompress a record.
public let errSSLPeerDecompressFail: OSStatus = -9823

/// The peer reports that the handshake failed.
public let errSSLPeerHandshakeFail: OSStatus = -9824

/// The peer reports that the certificate is malformed.
public let errSSLPeerBadCert: OSStatus = -9825

/// The peer reports that the certificate has an unsupported form.
public let errSSLPeerUnsupportedCert: OSStatus = -9826

/// The peer reports that the certificate was revoked.
public let errSSLPeerCertRevoked: OSStatus = -9827

/// The peer reports that the certificate has expired.
public let errSSLPeerCertExpired: OSStatus = -9828

/// The peer reports an unknown problem with the certificate.
public let errSSLPeerCertUnknown: OSStatus = -9829

/// A TLS message has an invalid value.
public let errSSLIllegalParam: OSStatus = -9830

/// The peer reports an unknown certificate authority.
public let errSSLPeerUnknownCA: OSStatus = -9831

/// The peer denies access.
public let errSSLPeerAccessDenied: OSStatus = -9832

/// The peer reports a message that it could not decode.
public let errSSLPeerDecodeError: OSStatus = -9833

/// The peer reports that a check with a key failed.
public let errSSLPeerDecryptError: OSStatus = -9834

/// The peer reports a violation of export restrictions.
public let errSSLPeerExportRestriction: OSStatus = -9835

/// The peer does not support this version of TLS.
public let errSSLPeerProtocolVersion: OSStatus = -9836

/// The peer requires stronger cryptography.
public let errSSLPeerInsufficientSecurity: OSStatus = -9837

/// The peer reports an internal error.
public let errSSLPeerInternalError: OSStatus = -9838

/// The user of the peer canceled.
public let errSSLPeerUserCancelled: OSStatus = -9839

/// The peer does not allow renegotiation.
public let errSSLPeerNoRenegotiation: OSStatus = -9840

/// The certificate of the peer is valid, or its evaluation was left to the program.
public let errSSLPeerAuthCompleted: OSStatus = -9841

/// The server requested a certificate of the client.
public let errSSLClientCertRequested: OSStatus = -9842

/// The certificate of the peer is for another host name.
public let errSSLHostNameMismatch: OSStatus = -9843

/// The peer ended the connection before the TLS handshake.
public let errSSLConnectionRefused: OSStatus = -9844

/// A TLS record could not be decrypted.
public let errSSLDecryptionFail: OSStatus = -9845

/// A TLS record has a wrong authentication code.
public let errSSLBadRecordMac: OSStatus = -9846

/// A TLS record is too large.
public let errSSLRecordOverflow: OSStatus = -9847

/// The configuration of TLS is invalid.
public let errSSLBadConfiguration: OSStatus = -9848

/// A TLS record arrived that was not expected.
public let errSSLUnexpectedRecord: OSStatus = -9849

/// The ephemeral key of the peer is too weak.
public let errSSLWeakPeerEphemeralDHKey: OSStatus = -9850

/// The first message of the client has arrived.
public let errSSLClientHelloReceived: OSStatus = -9851

/// The connection below TLS was reset.
public let errSSLTransportReset: OSStatus = -9852

/// The network timed out during a TLS operation.
public let errSSLNetworkTimeout: OSStatus = -9853

/// TLS could not be configured.
public let errSSLConfigurationFailed: OSStatus = -9854

/// The peer sent an unsupported TLS extension.
public let errSSLUnsupportedExtension: OSStatus = -9855

/// A TLS message arrived that was not expected.
public let errSSLUnexpectedMessage: OSStatus = -9856

/// A TLS record could not be decompressed.
public let errSSLDecompressFail: OSStatus = -9857

/// The TLS handshake failed.
public let errSSLHandshakeFail: OSStatus = -9858

/// A TLS message could not be decoded.
public let errSSLDecodeError: OSStatus = -9859

/// The client fell back to an older version of TLS than necessary.
public let errSSLInappropriateFallback: OSStatus = -9860

/// A required TLS extension is missing.
public let errSSLMissingExtension: OSStatus = -9861

/// The OCSP response in the TLS handshake is invalid.
public let errSSLBadCertificateStatusResponse: OSStatus = -9862

/// TLS requires a certificate of the client.
public let errSSLCertificateRequired: OSStatus = -9863

/// The name of the preshared key is unknown.
public let errSSLUnknownPSKIdentity: OSStatus = -9864

/// The server does not know the host name.
public let errSSLUnrecognizedName: OSStatus = -9865

/// The connection violates App Transport Security.
public let errSSLATSViolation: OSStatus = -9880

/// The version of TLS is too old for App Transport Security.
public let errSSLATSMinimumVersionViolation: OSStatus = -9881

/// App Transport Security does not allow the cipher suite.
public let errSSLATSCiphersuiteViolation: OSStatus = -9882

/// The key of the peer is too small for App Transport Security.
public let errSSLATSMinimumKeySizeViolation: OSStatus = -9883

/// App Transport Security does not allow the digest of the certificate.
public let errSSLATSLeafCertificateHashAlgorithmViolation: OSStatus = -9884

/// App Transport Security does not allow the digest of an issuer.
public let errSSLATSCertificateHashAlgorithmViolation: OSStatus = -9885

/// App Transport Security requires a trusted issuer.
public let errSSLATSCertificateTrustViolation: OSStatus = -9886

/// The peer rejected early data.
public let errSSLEarlyDataRejected: OSStatus = -9890

/// The access control list is too complex for this call.
public let errSecACLNotSimple: OSStatus = -25240

/// The policy was not found.
public let errSecPolicyNotFound: OSStatus = -25241

/// The trust setting has an invalid value.
public let errSecInvalidTrustSetting: OSStatus = -25242

/// The item has no access settings.
public let errSecNoAccessForItem: OSStatus = -25243

/// The owner of an item cannot be changed in this way.
public let errSecInvalidOwnerEdit: OSStatus = -25244

/// No trust result is available for the certificate yet.
public let errSecTrustNotAvailable: OSStatus = -25245

/// This format is not supported for import or export.
public let errSecUnsupportedFormat: OSStatus = -25256

/// The format of the data is unknown.
public let errSecUnknownFormat: OSStatus = -25257

/// The key can leave the keychain only in encrypted form.
public let errSecKeyIsSensitive: OSStatus = -25258

/// There are several private keys where one is expected.
public let errSecMultiplePrivKeys: OSStatus = -25259

/// A passphrase is required to open the data.
public let errSecPassphraseRequired: OSStatus = -25260

/// The password reference is invalid.
public let errSecInvalidPasswordRef: OSStatus = -25261

/// The trust settings are damaged.
public let errSecInvalidTrustSettings: OSStatus = -25262

/// The certificate has no trust settings.
public let errSecNoTrustSettings: OSStatus = -25263

/// The PKCS #12 data could not be verified: the passphrase is wrong, or the data was changed.
public let errSecPkcs12VerifyFailure: OSStatus = -25264

/// The keychain cannot be opened or read.
public let errSecNotAvailable: OSStatus = -25291

/// The keychain is read-only.
public let errSecReadOnly: OSStatus = -25292

/// Authentication failed: the passphrase or other credential is wrong.
public let errSecAuthFailed: OSStatus = -25293

/// The keychain was not found.
public let errSecNoSuchKeychain: OSStatus = -25294

/// The file is not a keychain, or is damaged.
public let errSecInvalidKeychain: OSStatus = -25295

/// A keychain with this name already exists.
public let errSecDuplicateKeychain: OSStatus = -25296

/// The callback is already registered.
public let errSecDuplicateCallback: OSStatus = -25297

/// The callback is not registered.
public let errSecInvalidCallback: OSStatus = -25298

/// An item with the same primary key already exists.
public let errSecDuplicateItem: OSStatus = -25299

/// No matching item was found.
public let errSecItemNotFound: OSStatus = -25300

/// The buffer is too small for the result.
public let errSecBufferTooSmall: OSStatus = -25301

/// The data is too large for an item.
public let errSecDataTooLarge: OSStatus = -25302

/// Items of this class do not have this attribute.
public let errSecNoSuchAttr: OSStatus = -25303

/// The item reference is invalid, or its item no longer exists.
public let errSecInvalidItemRef: OSStatus = -25304

/// The search reference is invalid.
public let errSecInvalidSearchRef: OSStatus = -25305

/// This class of items does not exist.
public let errSecNoSuchClass: OSStatus = -25306

/// No default keychain is set.
public let errSecNoDefaultKeychain: OSStatus = -25307

/// The keychain is locked, and the user cannot be prompted.
public let errSecInteractionNotAllowed: OSStatus = -25308

/// The attribute is read-only.
public let errSecReadOnlyAttr: OSStatus = -25309

/// The keychain was written by an unsupported version.
public let errSecWrongSecVersion: OSStatus = -25310

/// This key size is not allowed.
public let errSecKeySizeNotAllowed: OSStatus = -25311

/// No storage module is available.
public let errSecNoStorageModule: OSStatus = -25312

/// No certificate module is available.
public let errSecNoCertificateModule: OSStatus = -25313

/// No policy module is available.
public let errSecNoPolicyModule: OSStatus = -25314

/// The user must be prompted, which this call does not allow.
public let errSecInteractionRequired: OSStatus = -25315

/// The data of the item is not available.
public let errSecDataNotAvailable: OSStatus = -25316

/// The data of the item cannot be changed.
public let errSecDataNotModifiable: OSStatus = -25317

/// The certificates do not form a chain.
public let errSecCreateChainFailed: OSStatus = -25318

/// The preference domain is invalid.
public let errSecInvalidPrefsDomain: OSStatus = -25319

/// The computer is awake without its display, so the user cannot be prompted.
public let errSecInDarkWake: OSStatus = -25320

/// The certificate is not the signer's.
public let errSecNotSigner: OSStatus = -26267

/// The data could not be decoded.
public let errSecDecode: OSStatus = -26275

/// The program lacks an entitlement for this request.
public let errSecMissingEntitlement: OSStatus = -34018

/// This program is not allowed to call this function.
public let errSecRestrictedAPI: OSStatus = -34020

/// The remote signer failed.
public let errSecCSRemoteSignerFailed: OSStatus = -66990

/// The message of the code signature could not be made.
public let errSecCSCMSConstructionFailed: OSStatus = -66991

/// The notarization of the code was revoked.
public let errSecCSRevokedNotarization: OSStatus = -66992

/// The version of the runtime is invalid.
public let errSecCSInvalidRuntimeVersion: OSStatus = -66993

/// The entitlements in the code signature are invalid.
public let errSecCSInvalidEntitlements: OSStatus = -66994

/// The program file has several executable segments.
public let errSecMultipleExecSegments: OSStatus = -66995

/// The code signature is valid, but its signer is not trusted.
public let errSecCSSignatureUntrusted: OSStatus = -66996

/// The team identifier is wrong.
public let errSecCSBadTeamIdentifier: OSStatus = -66997

/// The team identifier is malformed.
public let errSecCSInvalidTeamIdentifier: OSStatus = -66998

/// The bundle contains resource forks or Finder information.
public let errSecCSInvalidAssociatedFileData: OSStatus = -66999

/// The digest of the code signature is not supported.
public let errSecCSUnsupportedDigestAlgorithm: OSStatus = -67000

/// The format of the disk image is unknown or unsuitable.
public let errSecCSBadDiskImageFormat: OSStatus = -67001

/// The code is valid, but is not an app.
public let errSecCSNotAppLike: OSStatus = -67002

/// A symbolic link in the bundle has an invalid destination.
public let errSecCSInvalidSymlink: OSStatus = -67003

/// The code is too large for this format of signatures.
public let errSecCSTooBig: OSStatus = -67004

/// The platform of the code is invalid, or another one.
public let errSecCSInvalidPlatform: OSStatus = -67005

/// The operation of code signing was canceled.
public let errSecCSCancelled: OSStatus = -67006

/// The version of the sealed resources is outdated.
public let errSecCSWeakResourceEnvelope: OSStatus = -67007

/// The root of the framework in the bundle contains unsealed files.
public let errSecCSUnsealedFrameworkRoot: OSStatus = -67008

/// The framework in the bundle has a changed or invalid version.
public let errSecCSBadFrameworkVersion: OSStatus = -67009

/// The main program did not pass strict validation.
public let errSecCSBadMainExecutable: OSStatus = -67010

/// The bundle could be a program or a framework.
public let errSecCSAmbiguousBundleFormat: OSStatus = -67011

/// The file in which the Finder keeps its settings must not be a symbolic link.
public let errSecCSDSStoreSymlink: OSStatus = -67012

/// The rules for sealed resources are outdated.
public let errSecCSWeakResourceRules: OSStatus = -67013

/// The root of the bundle contains unsealed files.
public let errSecCSUnsealedAppRoot: OSStatus = -67014

/// The main program and the property list of the bundle must be regular files.
public let errSecCSRegularFile: OSStatus = -67015

/// A resource is neither a file, a directory nor a symbolic link.
public let errSecCSResourceNotSupported: OSStatus = -67016

/// Programs for i386 cannot use library validation.
public let errSecCSBadLVArch: OSStatus = -67017

/// The operation of code signing was vetoed.
public let errSecCSVetoed: OSStatus = -67018

/// The tool codesign_allocate was not found, or failed.
public let errSecCSHelperFailed: OSStatus = -67019

/// The callback for code signing returned an invalid value.
public let errSecCSBadCallbackValue: OSStatus = -67020

/// Code inside the bundle was changed, or is invalid.
public let errSecCSBadNestedCode: OSStatus = -67021

/// Code inside the bundle is not signed.
public let errSecCSUnsignedNestedCode: OSStatus = -67022

/// The directory of resources or its signature was changed.
public let errSecCSResourceDirectoryFailed: OSStatus = -67023

/// A database or file of the system is damaged.
public let errSecCSDbCorrupt: OSStatus = -67024

/// The data for code signing is outdated.
public let errSecCSOutdated: OSStatus = -67025

/// The file was made by a sandboxed program, so it cannot be run.
public let errSecCSFileHardQuarantined: OSStatus = -67026

/// Nothing matches the search in the database of code signing.
public let errSecCSNoMatches: OSStatus = -67027

/// The format of the bundle is unknown or unsuitable.
public let errSecCSBadBundleFormat: OSStatus = -67028

/// The code has no main program.
public let errSecCSNoMainExecutable: OSStatus = -67029

/// The property list of the bundle or its signature was changed.
public let errSecCSInfoPlistFailed: OSStatus = -67030

/// The host reported invalid attributes of a guest.
public let errSecCSHostProtocolInvalidAttribute: OSStatus = -67031

/// The database of code signing cannot be opened.
public let errSecCSDBAccess: OSStatus = -67032

/// Access to the database of code signing was denied.
public let errSecCSDBDenied: OSStatus = -67033

/// The code on disk is not the code that is running.
public let errSecCSStaticCodeChanged: OSStatus = -67034

/// The host reported an invalid digest of a guest.
public let errSecCSHostProtocolInvalidHash: OSStatus = -67035

/// The signature is too large to be stored in the file.
public let errSecCSCMSTooLarge: OSStatus = -67036

/// This kind of code does not support the operation.
public let errSecCSNotSupported: OSStatus = -67037

/// The guest is not one of this host.
public let errSecCSHostProtocolUnrelated: OSStatus = -67039

/// The state of a guest cannot change in this way.
public let errSecCSHostProtocolStateError: OSStatus = -67040

/// The host does not host for others.
public let errSecCSHostProtocolNotProxy: OSStatus = -67041

/// A dedicated guest does not allow this operation.
public let errSecCSHostProtocolDedicationError: OSStatus = -67042

/// The host asked for contradictory ways of hosting.
public let errSecCSHostProtocolContradiction: OSStatus = -67043

/// The path of a guest must be absolute.
public let errSecCSHostProtocolRelativePath: OSStatus = -67044

/// The format of the code signature is invalid.
public let errSecCSSignatureInvalid: OSStatus = -67045

/// The code is not a host, so it has no guests.
public let errSecCSNotAHost: OSStatus = -67046

/// The code rejects its host.
public let errSecCSHostReject: OSStatus = -67047

/// Code signing failed internally.
public let errSecCSInternalError: OSStatus = -67048

/// The format of the program file is unknown or unsuitable.
public let errSecCSBadObjectFormat: OSStatus = -67049

/// The code does not meet the requirement.
public let errSecCSReqFailed: OSStatus = -67050

/// The type or version of the code requirement is not supported.
public let errSecCSReqUnsupported: OSStatus = -67051

/// The code requirement is invalid or damaged.
public let errSecCSReqInvalid: OSStatus = -67052

/// The rules for sealed resources are invalid.
public let errSecCSResourceRulesInvalid: OSStatus = -67053

/// A sealed resource is missing or was changed.
public let errSecCSBadResource: OSStatus = -67054

/// The list of sealed resources is invalid.
public let errSecCSResourcesInvalid: OSStatus = -67055

/// The resources that the code signature covers are missing.
public let errSecCSResourcesNotFound: OSStatus = -67056

/// The code signature does not cover the resources.
public let errSecCSResourcesNotSealed: OSStatus = -67057

/// A property list or resource of the code is malformed.
public let errSecCSBadDictionaryFormat: OSStatus = -67058

/// The type or version of the code signature is not supported.
public let errSecCSSignatureUnsupported: OSStatus = -67059

/// The code cannot be read to verify its signature.
public let errSecCSSignatureNotVerifiable: OSStatus = -67060

/// The code or its signature was changed.
public let errSecCSSignatureFailed: OSStatus = -67061

/// The code is not signed.
public let errSecCSUnsigned: OSStatus = -67062

/// The identity of the code is no longer valid.
public let errSecCSGuestInvalid: OSStatus = -67063

/// The host has several guests with these attributes.
public let errSecCSMultipleGuests: OSStatus = -67064

/// The host has no guest with these attributes.
public let errSecCSNoSuchCode: OSStatus = -67065

/// The attributes of a guest have invalid values.
public let errSecCSInvalidAttributeValues: OSStatus = -67066

/// These attributes cannot find a guest.
public let errSecCSUnsupportedGuestAttributes: OSStatus = -67067

/// The code was not found on disk.
public let errSecCSStaticCodeNotFound: OSStatus = -67068

/// A required argument of a function of code signing is missing.
public let errSecCSObjectRequired: OSStatus = -67069

/// The flags are invalid for this function of code signing.
public let errSecCSInvalidFlags: OSStatus = -67070

/// The object is not one of code signing.
public let errSecCSInvalidObjectRef: OSStatus = -67071

/// This function for code signatures is not implemented.
public let errSecCSUnimplemented: OSStatus = -67072

/// The required service is not available.
public let errSecServiceNotAvailable: OSStatus = -67585

/// The client is not sufficiently identified.
public let errSecInsufficientClientID: OSStatus = -67586

/// The device was reset in the meantime.
public let errSecDeviceReset: OSStatus = -67587

/// The device failed.
public let errSecDeviceFailed: OSStatus = -67588

/// The program could not be added to the access control list.
public let errSecAppleAddAppACLSubject: OSStatus = -67589

/// Parameters of the public key are missing.
public let errSecApplePublicKeyIncomplete: OSStatus = -67590

/// The signature does not match the data.
public let errSecAppleSignatureMismatch: OSStatus = -67591

/// The start date of the key is invalid.
public let errSecAppleInvalidKeyStartDate: OSStatus = -67592

/// The end date of the key is invalid.
public let errSecAppleInvalidKeyEndDate: OSStatus = -67593

/// The data could not be converted.
public let errSecConversionError: OSStatus = -67594

/// The peer tried to downgrade the connection to SSL 2.
public let errSecAppleSSLv2Rollback: OSStatus = -67595

/// The quota was exceeded.
public let errSecQuotaExceeded: OSStatus = -67596

/// The file is too large.
public let errSecFileTooBig: OSStatus = -67597

/// The record that describes the database is damaged.
public let errSecInvalidDatabaseBlob: OSStatus = -67598

/// The record that holds the key is damaged.
public let errSecInvalidKeyBlob: OSStatus = -67599

/// The record that describes the database has an incompatible version.
public let errSecIncompatibleDatabaseBlob: OSStatus = -67600

/// The record that holds the key has an incompatible version.
public let errSecIncompatibleKeyBlob: OSStatus = -67601

/// The certificate is for a different host name.
public let errSecHostNameMismatch: OSStatus = -67602

/// The certificate has an unknown critical extension.
public let errSecUnknownCriticalExtensionFlag: OSStatus = -67603

/// The certificate has no basic constraints.
public let errSecNoBasicConstraints: OSStatus = -67604

/// The basic constraints do not mark the certificate as an authority.
public let errSecNoBasicConstraintsCA: OSStatus = -67605

/// The authority key identifier is invalid.
public let errSecInvalidAuthorityKeyID: OSStatus = -67606

/// The subject key identifier is invalid.
public let errSecInvalidSubjectKeyID: OSStatus = -67607

/// The key usage does not satisfy the policy.
public let errSecInvalidKeyUsageForPolicy: OSStatus = -67608

/// The extended key usage is invalid.
public let errSecInvalidExtendedKeyUsage: OSStatus = -67609

/// The subject and issuer identifiers do not match.
public let errSecInvalidIDLinkage: OSStatus = -67610

/// The chain is longer than one of its certificates allows.
public let errSecPathLengthConstraintExceeded: OSStatus = -67611

/// The certificate at the end of the chain is not a valid root.
public let errSecInvalidRoot: OSStatus = -67612

/// The revocation list (CRL) has expired.
public let errSecCRLExpired: OSStatus = -67613

/// The revocation list (CRL) is not valid yet.
public let errSecCRLNotValidYet: OSStatus = -67614

/// The revocation list (CRL) was not found.
public let errSecCRLNotFound: OSStatus = -67615

/// The server of the revocation list (CRL) does not respond.
public let errSecCRLServerDown: OSStatus = -67616

/// The address of the revocation list (CRL) is invalid.
public let errSecCRLBadURI: OSStatus = -67617

/// The certificate has an unknown extension.
public let errSecUnknownCertExtension: OSStatus = -67618

/// The revocation list (CRL) has an unknown extension.
public let errSecUnknownCRLExtension: OSStatus = -67619

/// The revocation list (CRL) is not trusted.
public let errSecCRLNotTrusted: OSStatus = -67620

/// The revocation list (CRL) does not satisfy the policy.
public let errSecCRLPolicyFailed: OSStatus = -67621

/// The issuing distribution point of the revocation list (CRL) does not match.
public let errSecIDPFailure: OSStatus = -67622

/// The certificate does not contain the email address of the message.
public let errSecSMIMEEmailAddressesNotFound: OSStatus = -67623

/// The extended key usage does not allow S/MIME.
public let errSecSMIMEBadExtendedKeyUsage: OSStatus = -67624

/// The key usage does not allow S/MIME.
public let errSecSMIMEBadKeyUsage: OSStatus = -67625

/// The key usage of the S/MIME certificate is not marked as critical.
public let errSecSMIMEKeyUsageNotCritical: OSStatus = -67626

/// The S/MIME certificate has no email address.
public let errSecSMIMENoEmailAddress: OSStatus = -67627

/// The subject alternative name of the S/MIME certificate is not marked as critical.
public let errSecSMIMESubjAltNameNotCritical: OSStatus = -67628

/// The extended key usage does not allow TLS.
public let errSecSSLBadExtendedKeyUsage: OSStatus = -67629

/// The OCSP response cannot be read.
public let errSecOCSPBadResponse: OSStatus = -67630

/// The OCSP request is invalid.
public let errSecOCSPBadRequest: OSStatus = -67631

/// The OCSP service is not available.
public let errSecOCSPUnavailable: OSStatus = -67632

/// The OCSP service does not know this certificate.
public let errSecOCSPStatusUnrecognized: OSStatus = -67633

/// The data is truncated.
public let errSecEndOfData: OSStatus = -67634

/// The revocation check could not be completed for all certificates.
public let errSecIncompleteCertRevocationCheck: OSStatus = -67635

/// The network failed.
public let errSecNetworkFailure: OSStatus = -67636

/// The certificate of the OCSP response does not lead to a trusted root.
public let errSecOCSPNotTrustedToAnchor: OSStatus = -67637

/// The record was changed in the meantime.
public let errSecRecordModified: OSStatus = -67638

/// The signature of the OCSP response is invalid.
public let errSecOCSPSignatureError: OSStatus = -67639

/// The OCSP response does not name its signer.
public let errSecOCSPNoSigner: OSStatus = -67640

/// The OCSP service rejected the request as malformed.
public let errSecOCSPResponderMalformedReq: OSStatus = -67641

/// The OCSP service reported an internal error.
public let errSecOCSPResponderInternalError: OSStatus = -67642

/// The OCSP service is busy; try again later.
public let errSecOCSPResponderTryLater: OSStatus = -67643

/// The OCSP service requires signed requests.
public let errSecOCSPResponderSignatureRequired: OSStatus = -67644

/// The OCSP service does not authorize this request.
public let errSecOCSPResponderUnauthorized: OSStatus = -67645

/// The nonce of the OCSP response does not match the request.
public let errSecOCSPResponseNonceMismatch: OSStatus = -67646

/// The certificate chain of the code signature has the wrong length.
public let errSecCodeSigningBadCertChainLength: OSStatus = -67647

/// A certificate of the code signature has no basic constraints.
public let errSecCodeSigningNoBasicConstraints: OSStatus = -67648

/// A certificate of the code signature has the wrong path length constraint.
public let errSecCodeSigningBadPathLengthConstraint: OSStatus = -67649

/// The certificate has no extended key usage for code signing.
public let errSecCodeSigningNoExtendedKeyUsage: OSStatus = -67650

/// The code was signed with a development certificate.
public let errSecCodeSigningDevelopment: OSStatus = -67651

/// The certificate chain of the resource signature has the wrong length.
public let errSecResourceSignBadCertChainLength: OSStatus = -67652

/// The extended key usage does not allow resource signing.
public let errSecResourceSignBadExtKeyUsage: OSStatus = -67653

/// The trust settings reject this certificate.
public let errSecTrustSettingDeny: OSStatus = -67654

/// The subject name is empty or invalid.
public let errSecInvalidSubjectName: OSStatus = -67655

/// The qualified certificate has an unknown statement.
public let errSecUnknownQualifiedCertStatement: OSStatus = -67656

/// MobileMe queued the request.
public let errSecMobileMeRequestQueued: OSStatus = -67657

/// MobileMe redirected the request.
public let errSecMobileMeRequestRedirected: OSStatus = -67658

/// The MobileMe server reported an error.
public let errSecMobileMeServerError: OSStatus = -67659

/// The MobileMe server is not available.
public let errSecMobileMeServerNotAvailable: OSStatus = -67660

/// The MobileMe server already has this entry.
public let errSecMobileMeServerAlreadyExists: OSStatus = -67661

/// A MobileMe service failed.
public let errSecMobileMeServerServiceErr: OSStatus = -67662

/// A MobileMe request of this kind is already pending.
public let errSecMobileMeRequestAlreadyPending: OSStatus = -67663

/// No MobileMe request of this kind is pending.
public let errSecMobileMeNoRequestPending: OSStatus = -67664

/// MobileMe could not verify the certificate signing request.
public let errSecMobileMeCSRVerifyFailure: OSStatus = -67665

/// MobileMe found inconsistent data.
public let errSecMobileMeFailedConsistencyCheck: OSStatus = -67666

/// The module is not initialized.
public let errSecNotInitialized: OSStatus = -67667

/// The handle cannot be used in this way.
public let errSecInvalidHandleUsage: OSStatus = -67668

/// The target of a pointer validation was not found.
public let errSecPVCReferentNotFound: OSStatus = -67669

/// The integrity check of the function failed.
public let errSecFunctionIntegrityFail: OSStatus = -67670

/// An internal error occurred.
public let errSecInternalError: OSStatus = -67671

/// A memory error occurred.
public let errSecMemoryError: OSStatus = -67672

/// The data is invalid.
public let errSecInvalidData: OSStatus = -67673

/// The module directory service failed.
public let errSecMDSError: OSStatus = -67674

/// A pointer is invalid.
public let errSecInvalidPointer: OSStatus = -67675

/// The self-check of the module failed.
public let errSecSelfCheckFailed: OSStatus = -67676

/// The function failed for an unspecified reason.
public let errSecFunctionFailed: OSStatus = -67677

/// The manifest of the module could not be verified.
public let errSecModuleManifestVerifyFailed: OSStatus = -67678

/// The identifier of the module is invalid.
public let errSecInvalidGUID: OSStatus = -67679

/// The handle is invalid.
public let errSecInvalidHandle: OSStatus = -67680

/// The list of databases is invalid.
public let errSecInvalidDBList: OSStatus = -67681

/// The number of the passthrough function is invalid.
public let errSecInvalidPassthroughID: OSStatus = -67682

/// The network address is invalid.
public let errSecInvalidNetworkAddress: OSStatus = -67683

/// The revocation list (CRL) is already signed.
public let errSecCRLAlreadySigned: OSStatus = -67684

/// The number of fields is wrong.
public let errSecInvalidNumberOfFields: OSStatus = -67685

/// The verification failed.
public let errSecVerificationFailure: OSStatus = -67686

/// The tag is unknown.
public let errSecUnknownTag: OSStatus = -67687

/// The signature is invalid.
public let errSecInvalidSignature: OSStatus = -67688

/// The name is invalid.
public let errSecInvalidName: OSStatus = -67689

/// The certificate reference is invalid.
public let errSecInvalidCertificateRef: OSStatus = -67690

/// The group of certificates is invalid.
public let errSecInvalidCertificateGroup: OSStatus = -67691

/// The tag was not found.
public let errSecTagNotFound: OSStatus = -67692

/// The query is invalid.
public let errSecInvalidQuery: OSStatus = -67693

/// The value is invalid.
public let errSecInvalidValue: OSStatus = -67694

/// The callback failed.
public let errSecCallbackFailed: OSStatus = -67695

/// The entry of the access control list could not be deleted.
public let errSecACLDeleteFailed: OSStatus = -67696

/// The entry of the access control list could not be replaced.
public let errSecACLReplaceFailed: OSStatus = -67697

/// The entry of the access control list could not be added.
public let errSecACLAddFailed: OSStatus = -67698

/// The access control list could not be changed.
public let errSecACLChangeFailed: OSStatus = -67699

/// The access credentials are invalid.
public let errSecInvalidAccessCredentials: OSStatus = -67700

/// The record is invalid.
public let errSecInvalidRecord: OSStatus = -67701

/// The access control list is invalid.
public let errSecInvalidACL: OSStatus = -67702

/// An authentication sample is invalid.
public let errSecInvalidSampleValue: OSStatus = -67703

/// The versions of two components are incompatible.
public let errSecIncompatibleVersion: OSStatus = -67704

/// The privilege was not granted.
public let errSecPrivilegeNotGranted: OSStatus = -67705

/// The scope is invalid.
public let errSecInvalidScope: OSStatus = -67706

/// Pointer validation is already configured.
public let errSecPVCAlreadyConfigured: OSStatus = -67707

/// The configuration of pointer validation is invalid.
public let errSecInvalidPVC: OSStatus = -67708

/// An elective module manager could not be loaded.
public let errSecEMMLoadFailed: OSStatus = -67709

/// An elective module manager could not be unloaded.
public let errSecEMMUnloadFailed: OSStatus = -67710

/// The add-in module could not be loaded.
public let errSecAddinLoadFailed: OSStatus = -67711

/// The key reference is invalid.
public let errSecInvalidKeyRef: OSStatus = -67712

/// The key hierarchy is invalid.
public let errSecInvalidKeyHierarchy: OSStatus = -67713

/// The add-in module could not be unloaded.
public let errSecAddinUnloadFailed: OSStatus = -67714

/// The library reference was not found.
public let errSecLibraryReferenceNotFound: OSStatus = -67715

/// The function table of the add-in module is invalid.
public let errSecInvalidAddinFunctionTable: OSStatus = -67716

/// The service mask is invalid.
public let errSecInvalidServiceMask: OSStatus = -67717

/// The module is not loaded.
public let errSecModuleNotLoaded: OSStatus = -67718

/// The number of the module's service is invalid.
public let errSecInvalidSubServiceID: OSStatus = -67719

/// The context lacks an attribute.
public let errSecAttributeNotInContext: OSStatus = -67720

/// The module manager could not be initialized.
public let errSecModuleManagerInitializeFailed: OSStatus = -67721

/// The module manager was not found.
public let errSecModuleManagerNotFound: OSStatus = -67722

/// No callback is registered for the event.
public let errSecEventNotificationCallbackNotFound: OSStatus = -67723

/// The length of the input is wrong.
public let errSecInputLengthError: OSStatus = -67724

/// The length of the output is wrong.
public let errSecOutputLengthError: OSStatus = -67725

/// The privilege is not supported.
public let errSecPrivilegeNotSupported: OSStatus = -67726

/// The device reported an error.
public let errSecDeviceError: OSStatus = -67727

/// The module handle is in use.
public let errSecAttachHandleBusy: OSStatus = -67728

/// No user is logged in.
public let errSecNotLoggedIn: OSStatus = -67729

/// The algorithm does not match the key.
public let errSecAlgorithmMismatch: OSStatus = -67730

/// The key cannot be used for this purpose.
public let errSecKeyUsageIncorrect: OSStatus = -67731

/// The record that holds the key has the wrong type.
public let errSecKeyBlobTypeIncorrect: OSStatus = -67732

/// The key header is inconsistent.
public let errSecKeyHeaderInconsistent: OSStatus = -67733

/// The key format is not supported.
public let errSecUnsupportedKeyFormat: OSStatus = -67734

/// The key size is not supported.
public let errSecUnsupportedKeySize: OSStatus = -67735

/// The key usage mask is invalid.
public let errSecInvalidKeyUsageMask: OSStatus = -67736

/// The key usage mask is not supported.
public let errSecUnsupportedKeyUsageMask: OSStatus = -67737

/// The key attribute mask is invalid.
public let errSecInvalidKeyAttributeMask: OSStatus = -67738

/// The key attribute mask is not supported.
public let errSecUnsupportedKeyAttributeMask: OSStatus = -67739

/// The key label is invalid.
public let errSecInvalidKeyLabel: OSStatus = -67740

/// The key label is not supported.
public let errSecUnsupportedKeyLabel: OSStatus = -67741

/// The key format is invalid.
public let errSecInvalidKeyFormat: OSStatus = -67742

/// Data in several buffers is not supported.
public let errSecUnsupportedVectorOfBuffers: OSStatus = -67743

/// The input buffers are invalid.
public let errSecInvalidInputVector: OSStatus = -67744

/// The output buffers are invalid.
public let errSecInvalidOutputVector: OSStatus = -67745

/// The context does not match the operation.
public let errSecInvalidContext: OSStatus = -67746

/// The algorithm is invalid.
public let errSecInvalidAlgorithm: OSStatus = -67747

/// The key of the operation is invalid.
public let errSecInvalidAttributeKey: OSStatus = -67748

/// The operation requires a key.
public let errSecMissingAttributeKey: OSStatus = -67749

/// The initialization vector is invalid.
public let errSecInvalidAttributeInitVector: OSStatus = -67750

/// The operation requires an initialization vector.
public let errSecMissingAttributeInitVector: OSStatus = -67751

/// The salt is invalid.
public let errSecInvalidAttributeSalt: OSStatus = -67752

/// The operation requires a salt.
public let errSecMissingAttributeSalt: OSStatus = -67753

/// The padding is invalid.
public let errSecInvalidAttributePadding: OSStatus = -67754

/// The operation requires a padding.
public let errSecMissingAttributePadding: OSStatus = -67755

/// The random data is invalid.
public let errSecInvalidAttributeRandom: OSStatus = -67756

/// The operation requires random data.
public let errSecMissingAttributeRandom: OSStatus = -67757

/// The seed is invalid.
public let errSecInvalidAttributeSeed: OSStatus = -67758

/// The operation requires a seed.
public let errSecMissingAttributeSeed: OSStatus = -67759

/// The passphrase is invalid.
public let errSecInvalidAttributePassphrase: OSStatus = -67760

/// The operation requires a passphrase.
public let errSecMissingAttributePassphrase: OSStatus = -67761

/// The key length is invalid.
public let errSecInvalidAttributeKeyLength: OSStatus = -67762

/// The operation requires a key length.
public let errSecMissingAttributeKeyLength: OSStatus = -67763

/// The block size is invalid.
public let errSecInvalidAttributeBlockSize: OSStatus = -67764

/// The operation requires a block size.
public let errSecMissingAttributeBlockSize: OSStatus = -67765

/// The output size is invalid.
public let errSecInvalidAttributeOutputSize: OSStatus = -67766

/// The operation requires an output size.
public let errSecMissingAttributeOutputSize: OSStatus = -67767

/// The number of rounds is invalid.
public let errSecInvalidAttributeRounds: OSStatus = -67768

/// The operation requires a number of rounds.
public let errSecMissingAttributeRounds: OSStatus = -67769

/// The algorithm parameters are invalid.
public let errSecInvalidAlgorithmParms: OSStatus = -67770

/// The algorithm requires parameters.
public let errSecMissingAlgorithmParms: OSStatus = -67771

/// The label is invalid.
public let errSecInvalidAttributeLabel: OSStatus = -67772

/// The operation requires a label.
public let errSecMissingAttributeLabel: OSStatus = -67773

/// The key type is invalid.
public let errSecInvalidAttributeKeyType: OSStatus = -67774

/// The operation requires a key type.
public let errSecMissingAttributeKeyType: OSStatus = -67775

/// The mode is invalid.
public let errSecInvalidAttributeMode: OSStatus = -67776

/// The operation requires a mode.
public let errSecMissingAttributeMode: OSStatus = -67777

/// The number of effective bits is invalid.
public let errSecInvalidAttributeEffectiveBits: OSStatus = -67778

/// The operation requires a number of effective bits.
public let errSecMissingAttributeEffectiveBits: OSStatus = -67779

/// The start date is invalid.
public let errSecInvalidAttributeStartDate: OSStatus = -67780

/// The operation requires a start date.
public let errSecMissingAttributeStartDate: OSStatus = -67781

/// The end date is invalid.
public let errSecInvalidAttributeEndDate: OSStatus = -67782

/// The operation requires an end date.
public let errSecMissingAttributeEndDate: OSStatus = -67783

/// The version is invalid.
public let errSecInvalidAttributeVersion: OSStatus = -67784

/// The operation requires a version.
public let errSecMissingAttributeVersion: OSStatus = -67785

/// The prime is invalid.
public let errSecInvalidAttributePrime: OSStatus = -67786

/// The operation requires a prime.
public let errSecMissingAttributePrime: OSStatus = -67787

/// The base is invalid.
public let errSecInvalidAttributeBase: OSStatus = -67788

/// The operation requires a base.
public let errSecMissingAttributeBase: OSStatus = -67789

/// The subprime is invalid.
public let errSecInvalidAttributeSubprime: OSStatus = -67790

/// The operation requires a subprime.
public let errSecMissingAttributeSubprime: OSStatus = -67791

/// The number of iterations is invalid.
public let errSecInvalidAttributeIterationCount: OSStatus = -67792

/// The operation requires a number of iterations.
public let errSecMissingAttributeIterationCount: OSStatus = -67793

/// The database handle is invalid.
public let errSecInvalidAttributeDLDBHandle: OSStatus = -67794

/// The operation requires a database handle.
public let errSecMissingAttributeDLDBHandle: OSStatus = -67795

/// The access credentials of the operation are invalid.
public let errSecInvalidAttributeAccessCredentials: OSStatus = -67796

/// The operation requires access credentials.
public let errSecMissingAttributeAccessCredentials: OSStatus = -67797

/// The public key format is invalid.
public let errSecInvalidAttributePublicKeyFormat: OSStatus = -67798

/// The operation requires a public key format.
public let errSecMissingAttributePublicKeyFormat: OSStatus = -67799

/// The private key format is invalid.
public let errSecInvalidAttributePrivateKeyFormat: OSStatus = -67800

/// The operation requires a private key format.
public let errSecMissingAttributePrivateKeyFormat: OSStatus = -67801

/// The symmetric key format is invalid.
public let errSecInvalidAttributeSymmetricKeyFormat: OSStatus = -67802

/// The operation requires a symmetric key format.
public let errSecMissingAttributeSymmetricKeyFormat: OSStatus = -67803

/// The wrapped key format is invalid.
public let errSecInvalidAttributeWrappedKeyFormat: OSStatus = -67804

/// The operation requires a wrapped key format.
public let errSecMissingAttributeWrappedKeyFormat: OSStatus = -67805

/// A staged operation is already in progress.
public let errSecStagedOperationInProgress: OSStatus = -67806

/// The staged operation has not been started.
public let errSecStagedOperationNotStarted: OSStatus = -67807

/// The signature could not be verified.
public let errSecVerifyFailed: OSStatus = -67808

/// The size of the output is unknown.
public let errSecQuerySizeUnknown: OSStatus = -67809

/// The length of the data is not a multiple of the block size.
public let errSecBlockSizeMismatch: OSStatus = -67810

/// The public key is inconsistent.
public let errSecPublicKeyInconsistent: OSStatus = -67811

/// The device could not be verified.
public let errSecDeviceVerifyFailed: OSStatus = -67812

/// The login name is invalid.
public let errSecInvalidLoginName: OSStatus = -67813

/// A user is already logged in.
public let errSecAlreadyLoggedIn: OSStatus = -67814

/// The digest algorithm is invalid.
public let errSecInvalidDigestAlgorithm: OSStatus = -67815

/// The group of revocation lists (CRLs) is invalid.
public let errSecInvalidCRLGroup: OSStatus = -67816

/// The certificate cannot be used for this operation.
public let errSecCertificateCannotOperate: OSStatus = -67817

/// The certificate has expired.
public let errSecCertificateExpired: OSStatus = -67818

/// The certificate is not valid yet.
public let errSecCertificateNotValidYet: OSStatus = -67819

/// The certificate was revoked.
public let errSecCertificateRevoked: OSStatus = -67820

/// The certificate is suspended.
public let errSecCertificateSuspended: OSStatus = -67821

/// The credentials are valid but not sufficient.
public let errSecInsufficientCredentials: OSStatus = -67822

/// The action is invalid.
public let errSecInvalidAction: OSStatus = -67823

/// The authority is invalid.
public let errSecInvalidAuthority: OSStatus = -67824

/// The action that follows verification failed.
public let errSecVerifyActionFailed: OSStatus = -67825

/// The authority is not allowed to issue certificates.
public let errSecInvalidCertAuthority: OSStatus = -67826

/// The authority is not allowed to issue revocation lists (CRLs).
public let errSecInvalidCRLAuthority: OSStatus = -67827

/// The encoding of the revocation list (CRL) is invalid.
public let errSecInvalidCRLEncoding: OSStatus = -67828

/// The type of the revocation list (CRL) is invalid.
public let errSecInvalidCRLType: OSStatus = -67829

/// The revocation list (CRL) is invalid.
public let errSecInvalidCRL: OSStatus = -67830

/// The form type is invalid.
public let errSecInvalidFormType: OSStatus = -67831

/// The number is not a valid identifier.
public let errSecInvalidID: OSStatus = -67832

/// The identifier is invalid.
public let errSecInvalidIdentifier: OSStatus = -67833

/// The index is out of range.
public let errSecInvalidIndex: OSStatus = -67834

/// The policy identifiers are invalid.
public let errSecInvalidPolicyIdentifiers: OSStatus = -67835

/// The time string is invalid.
public let errSecInvalidTimeString: OSStatus = -67836

/// The reason is invalid.
public let errSecInvalidReason: OSStatus = -67837

/// The inputs of the request are invalid.
public let errSecInvalidRequestInputs: OSStatus = -67838

/// The responses to the request are invalid.
public let errSecInvalidResponseVector: OSStatus = -67839

/// The policy to stop at is invalid.
public let errSecInvalidStopOnPolicy: OSStatus = -67840

/// The tuple is invalid.
public let errSecInvalidTuple: OSStatus = -67841

/// Multiple values are not supported.
public let errSecMultipleValuesUnsupported: OSStatus = -67842

/// The certificate is not trusted.
public let errSecNotTrusted: OSStatus = -67843

/// No default authority is set.
public let errSecNoDefaultAuthority: OSStatus = -67844

/// The form was rejected.
public let errSecRejectedForm: OSStatus = -67845

/// The request was lost.
public let errSecRequestLost: OSStatus = -67846

/// The request was rejected.
public let errSecRequestRejected: OSStatus = -67847

/// The address type is not supported.
public let errSecUnsupportedAddressType: OSStatus = -67848

/// The service is not supported.
public let errSecUnsupportedService: OSStatus = -67849

/// The group of tuples is invalid.
public let errSecInvalidTupleGroup: OSStatus = -67850

/// The base access control lists are invalid.
public let errSecInvalidBaseACLs: OSStatus = -67851

/// The credentials in the tuple are invalid.
public let errSecInvalidTupleCredentials: OSStatus = -67852

/// The encoding is invalid.
public let errSecInvalidEncoding: OSStatus = -67853

/// The validity period is invalid.
public let errSecInvalidValidityPeriod: OSStatus = -67854

/// The requester is invalid.
public let errSecInvalidRequestor: OSStatus = -67855

/// The request descriptor is invalid.
public let errSecRequestDescriptor: OSStatus = -67856

/// The bundle description is invalid.
public let errSecInvalidBundleInfo: OSStatus = -67857

/// The index into the revocation list (CRL) is invalid.
public let errSecInvalidCRLIndex: OSStatus = -67858

/// The fields have no values.
public let errSecNoFieldValues: OSStatus = -67859

/// The field format is not supported.
public let errSecUnsupportedFieldFormat: OSStatus = -67860

/// The kind of index is not supported.
public let errSecUnsupportedIndexInfo: OSStatus = -67861

/// The kind of database location is not supported.
public let errSecUnsupportedLocality: OSStatus = -67862

/// The number of attributes is not supported.
public let errSecUnsupportedNumAttributes: OSStatus = -67863

/// The number of indexes is not supported.
public let errSecUnsupportedNumIndexes: OSStatus = -67864

/// The number of record types is not supported.
public let errSecUnsupportedNumRecordTypes: OSStatus = -67865

/// A field was specified more than once.
public let errSecFieldSpecifiedMultiple: OSStatus = -67866

/// The format of the field is incompatible with the existing one.
public let errSecIncompatibleFieldFormat: OSStatus = -67867

/// The parsing module is invalid.
public let errSecInvalidParsingModule: OSStatus = -67868

/// The database is locked by another user.
public let errSecDatabaseLocked: OSStatus = -67869

/// The database is open.
public let errSecDatastoreIsOpen: OSStatus = -67870

/// A value is missing.
public let errSecMissingValue: OSStatus = -67871

/// The query limits are not supported.
public let errSecUnsupportedQueryLimits: OSStatus = -67872

/// The number of query conditions is not supported.
public let errSecUnsupportedNumSelectionPreds: OSStatus = -67873

/// The query operator is not supported.
public let errSecUnsupportedOperator: OSStatus = -67874

/// The location of the database is invalid.
public let errSecInvalidDBLocation: OSStatus = -67875

/// The requested kind of access is invalid.
public let errSecInvalidAccessRequest: OSStatus = -67876

/// The description of the index is invalid.
public let errSecInvalidIndexInfo: OSStatus = -67877

/// The new owner is invalid.
public let errSecInvalidNewOwner: OSStatus = -67878

/// The mode for changing records is invalid.
public let errSecInvalidModifyMode: OSStatus = -67879

/// The certificate lacks a required extension.
public let errSecMissingRequiredExtension: OSStatus = -67880

/// The extended key usage of the certificate is not marked as critical.
public let errSecExtendedKeyUsageNotCritical: OSStatus = -67881

/// The signature has no timestamp.
public let errSecTimestampMissing: OSStatus = -67882

/// The timestamp of the signature is invalid.
public let errSecTimestampInvalid: OSStatus = -67883

/// The timestamp is not from a trusted authority.
public let errSecTimestampNotTrusted: OSStatus = -67884

/// The timestamp service is not available.
public let errSecTimestampServiceNotAvailable: OSStatus = -67885

/// The timestamp service does not support the algorithm.
public let errSecTimestampBadAlg: OSStatus = -67886

/// The timestamp service rejected the request as invalid.
public let errSecTimestampBadRequest: OSStatus = -67887

/// The timestamp service rejected the format of the data.
public let errSecTimestampBadDataFormat: OSStatus = -67888

/// The time source of the timestamp service is not available.
public let errSecTimestampTimeNotAvailable: OSStatus = -67889

/// The timestamp service does not support the policy.
public let errSecTimestampUnacceptedPolicy: OSStatus = -67890

/// The timestamp service does not support an extension.
public let errSecTimestampUnacceptedExtension: OSStatus = -67891

/// The timestamp service cannot provide the additional information.
public let errSecTimestampAddInfoNotAvailable: OSStatus = -67892

/// The timestamp service reported a system failure.
public let errSecTimestampSystemFailure: OSStatus = -67893

/// The signature has no signing time.
public let errSecSigningTimeMissing: OSStatus = -67894

/// The timestamp service rejected the request.
public let errSecTimestampRejection: OSStatus = -67895

/// The timestamp service has not processed the request yet.
public let errSecTimestampWaiting: OSStatus = -67896

/// The timestamp authority is about to be revoked.
public let errSecTimestampRevocationWarning: OSStatus = -67897

/// The timestamp authority was revoked.
public let errSecTimestampRevocationNotification: OSStatus = -67898

/// The policies of the certificate are not allowed.
public let errSecCertificatePolicyNotAllowed: OSStatus = -67899

/// The name in the certificate is not allowed.
public let errSecCertificateNameNotAllowed: OSStatus = -67900

/// The validity period of the certificate is too long.
public let errSecCertificateValidityPeriodTooLong: OSStatus = -67901

/// The certificate is an authority's, which is not allowed here.
public let errSecCertificateIsCA: OSStatus = -67902

/// The certificate has a duplicate extension.
public let errSecCertificateDuplicateExtension: OSStatus = -67903

/// The qualified certificate lacks a required statement.
public let errSecMissingQualifiedCertStatement: OSStatus = -67904
