// Written by `./dev fixtures` from Spec/status-codes.tsv.

/// Everything went well.
public let errSecSuccess: OSStatus = 0

/// This function, or this condition for this class of items, does not exist here.
public let errSecUnimplemented: OSStatus = -4

/// There is no space left on the disk.
public let errSecDiskFull: OSStatus = -34

/// Reading or writing the file failed.
public let errSecIO: OSStatus = -36

/// The file is open for writing already.
public let errSecOpWr: OSStatus = -49

/// The request makes no sense: a key, a value or its kind is wrong.
public let errSecParam: OSStatus = -50

/// This program may not write the file.
public let errSecWrPerm: OSStatus = -61

/// There is not enough memory.
public let errSecAllocate: OSStatus = -108

/// The user cancelled the request.
public let errSecUserCanceled: OSStatus = -128

/// That cannot be asked for at this moment.
public let errSecBadReq: OSStatus = -909

/// A part that this one relies on failed.
public let errSecInternalComponent: OSStatus = -2070

/// Core Foundation failed for a reason that is not known.
public let errSecCoreFoundationUnknown: OSStatus = -4960

/// The access control list is not of the simple form that this call understands.
public let errSecACLNotSimple: OSStatus = -25240

/// There is no such policy.
public let errSecPolicyNotFound: OSStatus = -25241

/// This trust setting has a value that it cannot have.
public let errSecInvalidTrustSetting: OSStatus = -25242

/// The item has no access settings.
public let errSecNoAccessForItem: OSStatus = -25243

/// The owner of an item cannot be changed in this way.
public let errSecInvalidOwnerEdit: OSStatus = -25244

/// There is nothing yet that says whether the certificate is trusted.
public let errSecTrustNotAvailable: OSStatus = -25245

/// Nothing can be imported from this format, or exported to it.
public let errSecUnsupportedFormat: OSStatus = -25256

/// The data are in no format that is known.
public let errSecUnknownFormat: OSStatus = -25257

/// The key may leave the keychain only encrypted.
public let errSecKeyIsSensitive: OSStatus = -25258

/// There is more than one private key where one is expected.
public let errSecMultiplePrivKeys: OSStatus = -25259

/// The data can only be opened with a passphrase.
public let errSecPassphraseRequired: OSStatus = -25260

/// The reference does not lead to a password.
public let errSecInvalidPasswordRef: OSStatus = -25261

/// The trust settings are damaged.
public let errSecInvalidTrustSettings: OSStatus = -25262

/// The certificate has no trust settings.
public let errSecNoTrustSettings: OSStatus = -25263

/// The passphrase of the PKCS #12 data is wrong, or the data were changed.
public let errSecPkcs12VerifyFailure: OSStatus = -25264

/// The keychain cannot be opened or read.
public let errSecNotAvailable: OSStatus = -25291

/// The keychain can be read, but not changed.
public let errSecReadOnly: OSStatus = -25292

/// Authentication failed: the password or other proof is wrong.
public let errSecAuthFailed: OSStatus = -25293

/// There is no such keychain.
public let errSecNoSuchKeychain: OSStatus = -25294

/// The file is not a keychain, or is damaged.
public let errSecInvalidKeychain: OSStatus = -25295

/// A keychain of this name exists already.
public let errSecDuplicateKeychain: OSStatus = -25296

/// This callback is registered already.
public let errSecDuplicateCallback: OSStatus = -25297

/// This callback was never registered.
public let errSecInvalidCallback: OSStatus = -25298

/// An item with the same primary key exists already.
public let errSecDuplicateItem: OSStatus = -25299

/// No item matches.
public let errSecItemNotFound: OSStatus = -25300

/// The buffer is too small for the answer.
public let errSecBufferTooSmall: OSStatus = -25301

/// The data are larger than an item can hold.
public let errSecDataTooLarge: OSStatus = -25302

/// Items of this class have no such attribute.
public let errSecNoSuchAttr: OSStatus = -25303

/// The reference does not lead to an item any more.
public let errSecInvalidItemRef: OSStatus = -25304

/// The search is not one that can be continued.
public let errSecInvalidSearchRef: OSStatus = -25305

/// There is no such class of items.
public let errSecNoSuchClass: OSStatus = -25306

/// No keychain is the default one.
public let errSecNoDefaultKeychain: OSStatus = -25307

/// The keychain is locked, and asking the user is not possible.
public let errSecInteractionNotAllowed: OSStatus = -25308

/// This attribute cannot be changed.
public let errSecReadOnlyAttr: OSStatus = -25309

/// The keychain was written by a version that this one cannot read.
public let errSecWrongSecVersion: OSStatus = -25310

/// Keys of this size are not allowed.
public let errSecKeySizeNotAllowed: OSStatus = -25311

/// There is no module that stores anything.
public let errSecNoStorageModule: OSStatus = -25312

/// There is no module that understands certificates.
public let errSecNoCertificateModule: OSStatus = -25313

/// There is no module that understands policies.
public let errSecNoPolicyModule: OSStatus = -25314

/// The user must be asked first, and this call does not allow it.
public let errSecInteractionRequired: OSStatus = -25315

/// The data of the item cannot be had.
public let errSecDataNotAvailable: OSStatus = -25316

/// The data of the item cannot be changed.
public let errSecDataNotModifiable: OSStatus = -25317

/// The certificates do not join into a chain.
public let errSecCreateChainFailed: OSStatus = -25318

/// There are no preferences for this domain.
public let errSecInvalidPrefsDomain: OSStatus = -25319

/// The computer woke without its screen, so the user cannot be asked.
public let errSecInDarkWake: OSStatus = -25320

/// The certificate is not that of the signer.
public let errSecNotSigner: OSStatus = -26267

/// The data cannot be decoded.
public let errSecDecode: OSStatus = -26275

/// The program has no entitlement for what it asks for.
public let errSecMissingEntitlement: OSStatus = -34018

/// A program of this kind may not call this function.
public let errSecRestrictedAPI: OSStatus = -34020

/// The service that does this work cannot be reached.
public let errSecServiceNotAvailable: OSStatus = -67585

/// The client is not identified well enough.
public let errSecInsufficientClientID: OSStatus = -67586

/// The device started anew in the meantime.
public let errSecDeviceReset: OSStatus = -67587

/// The device broke down.
public let errSecDeviceFailed: OSStatus = -67588

/// The program could not be added to the access control list.
public let errSecAppleAddAppACLSubject: OSStatus = -67589

/// The public key lacks some of its parameters.
public let errSecApplePublicKeyIncomplete: OSStatus = -67590

/// The signature does not belong to these data.
public let errSecAppleSignatureMismatch: OSStatus = -67591

/// The key begins to be valid at a date that makes no sense.
public let errSecAppleInvalidKeyStartDate: OSStatus = -67592

/// The key ceases to be valid at a date that makes no sense.
public let errSecAppleInvalidKeyEndDate: OSStatus = -67593

/// One form of the data could not be turned into the other.
public let errSecConversionError: OSStatus = -67594

/// The peer tried to make the connection fall back to SSL 2.
public let errSecAppleSSLv2Rollback: OSStatus = -67595

/// There is more than the quota permits.
public let errSecQuotaExceeded: OSStatus = -67596

/// The file is larger than is permitted.
public let errSecFileTooBig: OSStatus = -67597

/// The record that describes the database is damaged.
public let errSecInvalidDatabaseBlob: OSStatus = -67598

/// The record that holds the key is damaged.
public let errSecInvalidKeyBlob: OSStatus = -67599

/// The record that describes the database is of another version.
public let errSecIncompatibleDatabaseBlob: OSStatus = -67600

/// The record that holds the key is of another version.
public let errSecIncompatibleKeyBlob: OSStatus = -67601

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

/// The certificate contains no address of the message.
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

/// The record has changed in the meantime.
public let errSecRecordModified: OSStatus = -67638

/// The signature of the answer about revocation (OCSP) is wrong.
public let errSecOCSPSignatureError: OSStatus = -67639

/// The answer about revocation (OCSP) does not name its signer.
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

/// The module was used before it was initialized.
public let errSecNotInitialized: OSStatus = -67667

/// The handle is not for this use.
public let errSecInvalidHandleUsage: OSStatus = -67668

/// The target that a pointer was to be validated against is missing.
public let errSecPVCReferentNotFound: OSStatus = -67669

/// The function is not the one that was built.
public let errSecFunctionIntegrityFail: OSStatus = -67670

/// Something failed inside that should not.
public let errSecInternalError: OSStatus = -67671

/// Memory could not be had, or was damaged.
public let errSecMemoryError: OSStatus = -67672

/// The data make no sense.
public let errSecInvalidData: OSStatus = -67673

/// The directory of the modules failed.
public let errSecMDSError: OSStatus = -67674

/// A pointer leads nowhere.
public let errSecInvalidPointer: OSStatus = -67675

/// The module failed its own check.
public let errSecSelfCheckFailed: OSStatus = -67676

/// The function failed without saying why.
public let errSecFunctionFailed: OSStatus = -67677

/// The signature of the module's manifest is wrong.
public let errSecModuleManifestVerifyFailed: OSStatus = -67678

/// The identifier of the module is invalid.
public let errSecInvalidGUID: OSStatus = -67679

/// The handle is invalid.
public let errSecInvalidHandle: OSStatus = -67680

/// The list of databases makes no sense.
public let errSecInvalidDBList: OSStatus = -67681

/// The function to pass through has no such number.
public let errSecInvalidPassthroughID: OSStatus = -67682

/// The network address makes no sense.
public let errSecInvalidNetworkAddress: OSStatus = -67683

/// The list of revoked certificates has a signature already.
public let errSecCRLAlreadySigned: OSStatus = -67684

/// There are too few or too many fields.
public let errSecInvalidNumberOfFields: OSStatus = -67685

/// Verification failed.
public let errSecVerificationFailure: OSStatus = -67686

/// The tag is not known.
public let errSecUnknownTag: OSStatus = -67687

/// The signature is wrong.
public let errSecInvalidSignature: OSStatus = -67688

/// The name is not one that is permitted.
public let errSecInvalidName: OSStatus = -67689

/// The reference does not lead to a certificate.
public let errSecInvalidCertificateRef: OSStatus = -67690

/// The group of certificates makes no sense.
public let errSecInvalidCertificateGroup: OSStatus = -67691

/// There is nothing with this tag.
public let errSecTagNotFound: OSStatus = -67692

/// The query makes no sense.
public let errSecInvalidQuery: OSStatus = -67693

/// The value is not permitted.
public let errSecInvalidValue: OSStatus = -67694

/// The callback failed.
public let errSecCallbackFailed: OSStatus = -67695

/// The entry of an access control list could not be deleted.
public let errSecACLDeleteFailed: OSStatus = -67696

/// The entry of an access control list could not be replaced.
public let errSecACLReplaceFailed: OSStatus = -67697

/// The entry of an access control list could not be added.
public let errSecACLAddFailed: OSStatus = -67698

/// The access control list could not be changed.
public let errSecACLChangeFailed: OSStatus = -67699

/// The credentials for access are wrong.
public let errSecInvalidAccessCredentials: OSStatus = -67700

/// The record is malformed.
public let errSecInvalidRecord: OSStatus = -67701

/// The access control list is malformed.
public let errSecInvalidACL: OSStatus = -67702

/// A sample for authentication is wrong.
public let errSecInvalidSampleValue: OSStatus = -67703

/// Two parts have versions that do not go together.
public let errSecIncompatibleVersion: OSStatus = -67704

/// The privilege was refused.
public let errSecPrivilegeNotGranted: OSStatus = -67705

/// The scope is invalid.
public let errSecInvalidScope: OSStatus = -67706

/// The validation of pointers is configured already.
public let errSecPVCAlreadyConfigured: OSStatus = -67707

/// The configuration for the validation of pointers is wrong.
public let errSecInvalidPVC: OSStatus = -67708

/// A manager of elective modules could not be loaded.
public let errSecEMMLoadFailed: OSStatus = -67709

/// A manager of elective modules could not be unloaded.
public let errSecEMMUnloadFailed: OSStatus = -67710

/// The module could not be loaded.
public let errSecAddinLoadFailed: OSStatus = -67711

/// The reference does not lead to a key.
public let errSecInvalidKeyRef: OSStatus = -67712

/// The keys do not stand in such an order.
public let errSecInvalidKeyHierarchy: OSStatus = -67713

/// The module could not be unloaded.
public let errSecAddinUnloadFailed: OSStatus = -67714

/// There is no reference to such a library.
public let errSecLibraryReferenceNotFound: OSStatus = -67715

/// The module's table of functions is malformed.
public let errSecInvalidAddinFunctionTable: OSStatus = -67716

/// The mask names services that do not exist.
public let errSecInvalidServiceMask: OSStatus = -67717

/// The module is not loaded.
public let errSecModuleNotLoaded: OSStatus = -67718

/// The module has no service of this number.
public let errSecInvalidSubServiceID: OSStatus = -67719

/// The context lacks an attribute.
public let errSecAttributeNotInContext: OSStatus = -67720

/// The manager of the module could not be initialized.
public let errSecModuleManagerInitializeFailed: OSStatus = -67721

/// The module has no manager.
public let errSecModuleManagerNotFound: OSStatus = -67722

/// No receiver is registered for the event.
public let errSecEventNotificationCallbackNotFound: OSStatus = -67723

/// The input has the wrong length.
public let errSecInputLengthError: OSStatus = -67724

/// The output would have the wrong length.
public let errSecOutputLengthError: OSStatus = -67725

/// There is no such privilege.
public let errSecPrivilegeNotSupported: OSStatus = -67726

/// The device reports an error.
public let errSecDeviceError: OSStatus = -67727

/// The handle of the module is in use.
public let errSecAttachHandleBusy: OSStatus = -67728

/// No user is logged in.
public let errSecNotLoggedIn: OSStatus = -67729

/// The algorithm is not that of the key.
public let errSecAlgorithmMismatch: OSStatus = -67730

/// The key is not for this use.
public let errSecKeyUsageIncorrect: OSStatus = -67731

/// The record that holds the key is of the wrong type.
public let errSecKeyBlobTypeIncorrect: OSStatus = -67732

/// The header of the key contradicts itself.
public let errSecKeyHeaderInconsistent: OSStatus = -67733

/// Keys in this format cannot be used.
public let errSecUnsupportedKeyFormat: OSStatus = -67734

/// Keys of this size cannot be used.
public let errSecUnsupportedKeySize: OSStatus = -67735

/// The mask of the key's uses makes no sense.
public let errSecInvalidKeyUsageMask: OSStatus = -67736

/// The mask names uses of a key that there are not.
public let errSecUnsupportedKeyUsageMask: OSStatus = -67737

/// The mask of the key's attributes makes no sense.
public let errSecInvalidKeyAttributeMask: OSStatus = -67738

/// The mask names attributes of a key that there are not.
public let errSecUnsupportedKeyAttributeMask: OSStatus = -67739

/// The label of the key makes no sense.
public let errSecInvalidKeyLabel: OSStatus = -67740

/// A key cannot have such a label.
public let errSecUnsupportedKeyLabel: OSStatus = -67741

/// The key is not in the format that it claims.
public let errSecInvalidKeyFormat: OSStatus = -67742

/// Data in several buffers cannot be used here.
public let errSecUnsupportedVectorOfBuffers: OSStatus = -67743

/// The buffers for the input make no sense.
public let errSecInvalidInputVector: OSStatus = -67744

/// The buffers for the output make no sense.
public let errSecInvalidOutputVector: OSStatus = -67745

/// The context of the operation is not for it.
public let errSecInvalidContext: OSStatus = -67746

/// There is no such algorithm.
public let errSecInvalidAlgorithm: OSStatus = -67747

/// The key of the operation is wrong.
public let errSecInvalidAttributeKey: OSStatus = -67748

/// The operation needs a key.
public let errSecMissingAttributeKey: OSStatus = -67749

/// The initialization vector of the operation is wrong.
public let errSecInvalidAttributeInitVector: OSStatus = -67750

/// The operation needs an initialization vector.
public let errSecMissingAttributeInitVector: OSStatus = -67751

/// The salt of the operation is wrong.
public let errSecInvalidAttributeSalt: OSStatus = -67752

/// The operation needs a salt.
public let errSecMissingAttributeSalt: OSStatus = -67753

/// The padding of the operation is wrong.
public let errSecInvalidAttributePadding: OSStatus = -67754

/// The operation needs a padding.
public let errSecMissingAttributePadding: OSStatus = -67755

/// The random data of the operation are wrong.
public let errSecInvalidAttributeRandom: OSStatus = -67756

/// The operation needs random data.
public let errSecMissingAttributeRandom: OSStatus = -67757

/// The seed of the operation is wrong.
public let errSecInvalidAttributeSeed: OSStatus = -67758

/// The operation needs a seed.
public let errSecMissingAttributeSeed: OSStatus = -67759

/// The passphrase of the operation is wrong.
public let errSecInvalidAttributePassphrase: OSStatus = -67760

/// The operation needs a passphrase.
public let errSecMissingAttributePassphrase: OSStatus = -67761

/// The length of the operation's key is wrong.
public let errSecInvalidAttributeKeyLength: OSStatus = -67762

/// The operation needs the length of the key.
public let errSecMissingAttributeKeyLength: OSStatus = -67763

/// The block size of the operation is wrong.
public let errSecInvalidAttributeBlockSize: OSStatus = -67764

/// The operation needs a block size.
public let errSecMissingAttributeBlockSize: OSStatus = -67765

/// The size of the operation's output is wrong.
public let errSecInvalidAttributeOutputSize: OSStatus = -67766

/// The operation needs the size of the output.
public let errSecMissingAttributeOutputSize: OSStatus = -67767

/// The number of the operation's rounds is wrong.
public let errSecInvalidAttributeRounds: OSStatus = -67768

/// The operation needs a number of rounds.
public let errSecMissingAttributeRounds: OSStatus = -67769

/// The parameters of the algorithm are wrong.
public let errSecInvalidAlgorithmParms: OSStatus = -67770

/// The algorithm needs parameters.
public let errSecMissingAlgorithmParms: OSStatus = -67771

/// The label of the operation's result is wrong.
public let errSecInvalidAttributeLabel: OSStatus = -67772

/// The operation needs a label for its result.
public let errSecMissingAttributeLabel: OSStatus = -67773

/// The type of the operation's key is wrong.
public let errSecInvalidAttributeKeyType: OSStatus = -67774

/// The operation needs the type of the key.
public let errSecMissingAttributeKeyType: OSStatus = -67775

/// The mode of the operation is wrong.
public let errSecInvalidAttributeMode: OSStatus = -67776

/// The operation needs a mode.
public let errSecMissingAttributeMode: OSStatus = -67777

/// The number of effective bits is wrong.
public let errSecInvalidAttributeEffectiveBits: OSStatus = -67778

/// The operation needs a number of effective bits.
public let errSecMissingAttributeEffectiveBits: OSStatus = -67779

/// The start date of the operation's key is wrong.
public let errSecInvalidAttributeStartDate: OSStatus = -67780

/// The operation needs a start date for the key.
public let errSecMissingAttributeStartDate: OSStatus = -67781

/// The end date of the operation's key is wrong.
public let errSecInvalidAttributeEndDate: OSStatus = -67782

/// The operation needs an end date for the key.
public let errSecMissingAttributeEndDate: OSStatus = -67783

/// The version of the operation is wrong.
public let errSecInvalidAttributeVersion: OSStatus = -67784

/// The operation needs a version.
public let errSecMissingAttributeVersion: OSStatus = -67785

/// The prime of the operation is wrong.
public let errSecInvalidAttributePrime: OSStatus = -67786

/// The operation needs a prime.
public let errSecMissingAttributePrime: OSStatus = -67787

/// The base of the operation is wrong.
public let errSecInvalidAttributeBase: OSStatus = -67788

/// The operation needs a base.
public let errSecMissingAttributeBase: OSStatus = -67789

/// The subprime of the operation is wrong.
public let errSecInvalidAttributeSubprime: OSStatus = -67790

/// The operation needs a subprime.
public let errSecMissingAttributeSubprime: OSStatus = -67791

/// The number of the operation's iterations is wrong.
public let errSecInvalidAttributeIterationCount: OSStatus = -67792

/// The operation needs a number of iterations.
public let errSecMissingAttributeIterationCount: OSStatus = -67793

/// The handle of the operation's database is wrong.
public let errSecInvalidAttributeDLDBHandle: OSStatus = -67794

/// The operation needs the handle of a database.
public let errSecMissingAttributeDLDBHandle: OSStatus = -67795

/// The credentials of the operation are wrong.
public let errSecInvalidAttributeAccessCredentials: OSStatus = -67796

/// The operation needs credentials.
public let errSecMissingAttributeAccessCredentials: OSStatus = -67797

/// The format for public keys is wrong.
public let errSecInvalidAttributePublicKeyFormat: OSStatus = -67798

/// The operation needs a format for public keys.
public let errSecMissingAttributePublicKeyFormat: OSStatus = -67799

/// The format for private keys is wrong.
public let errSecInvalidAttributePrivateKeyFormat: OSStatus = -67800

/// The operation needs a format for private keys.
public let errSecMissingAttributePrivateKeyFormat: OSStatus = -67801

/// The format for symmetric keys is wrong.
public let errSecInvalidAttributeSymmetricKeyFormat: OSStatus = -67802

/// The operation needs a format for symmetric keys.
public let errSecMissingAttributeSymmetricKeyFormat: OSStatus = -67803

/// The format for wrapped keys is wrong.
public let errSecInvalidAttributeWrappedKeyFormat: OSStatus = -67804

/// The operation needs a format for wrapped keys.
public let errSecMissingAttributeWrappedKeyFormat: OSStatus = -67805

/// An operation in several steps has begun already.
public let errSecStagedOperationInProgress: OSStatus = -67806

/// The operation in several steps has not begun.
public let errSecStagedOperationNotStarted: OSStatus = -67807

/// The signature does not verify.
public let errSecVerifyFailed: OSStatus = -67808

/// How large the output will be is not known.
public let errSecQuerySizeUnknown: OSStatus = -67809

/// The data are not a whole number of blocks.
public let errSecBlockSizeMismatch: OSStatus = -67810

/// The parts of the public key do not fit together.
public let errSecPublicKeyInconsistent: OSStatus = -67811

/// The device is not the one that it claims to be.
public let errSecDeviceVerifyFailed: OSStatus = -67812

/// The name to log in with is wrong.
public let errSecInvalidLoginName: OSStatus = -67813

/// A user is already logged in.
public let errSecAlreadyLoggedIn: OSStatus = -67814

/// There is no such algorithm for digests.
public let errSecInvalidDigestAlgorithm: OSStatus = -67815

/// The group of lists of revoked certificates makes no sense.
public let errSecInvalidCRLGroup: OSStatus = -67816

/// The certificate cannot do what is asked of it.
public let errSecCertificateCannotOperate: OSStatus = -67817

/// The certificate has expired.
public let errSecCertificateExpired: OSStatus = -67818

/// The certificate is for later.
public let errSecCertificateNotValidYet: OSStatus = -67819

/// The certificate was revoked.
public let errSecCertificateRevoked: OSStatus = -67820

/// The certificate is suspended.
public let errSecCertificateSuspended: OSStatus = -67821

/// The credentials are good, but not enough.
public let errSecInsufficientCredentials: OSStatus = -67822

/// There is no such action.
public let errSecInvalidAction: OSStatus = -67823

/// The authority is invalid.
public let errSecInvalidAuthority: OSStatus = -67824

/// The action after verifying failed.
public let errSecVerifyActionFailed: OSStatus = -67825

/// The authority may not issue certificates.
public let errSecInvalidCertAuthority: OSStatus = -67826

/// The authority may not issue lists of revoked certificates.
public let errSecInvalidCRLAuthority: OSStatus = -67827

/// The list of revoked certificates is encoded in a wrong way.
public let errSecInvalidCRLEncoding: OSStatus = -67828

/// The list of revoked certificates is of a wrong type.
public let errSecInvalidCRLType: OSStatus = -67829

/// The list of revoked certificates is malformed.
public let errSecInvalidCRL: OSStatus = -67830

/// There is no form of this type.
public let errSecInvalidFormType: OSStatus = -67831

/// The number is not that of anything.
public let errSecInvalidID: OSStatus = -67832

/// The identifier is malformed.
public let errSecInvalidIdentifier: OSStatus = -67833

/// The index is out of range.
public let errSecInvalidIndex: OSStatus = -67834

/// The identifiers of policies make no sense.
public let errSecInvalidPolicyIdentifiers: OSStatus = -67835

/// The text is not that of a time.
public let errSecInvalidTimeString: OSStatus = -67836

/// The reason is invalid.
public let errSecInvalidReason: OSStatus = -67837

/// The inputs of the request make no sense.
public let errSecInvalidRequestInputs: OSStatus = -67838

/// The answers to the request make no sense.
public let errSecInvalidResponseVector: OSStatus = -67839

/// There is no such policy to stop at.
public let errSecInvalidStopOnPolicy: OSStatus = -67840

/// The tuple is malformed.
public let errSecInvalidTuple: OSStatus = -67841

/// There can only be one value.
public let errSecMultipleValuesUnsupported: OSStatus = -67842

/// The certificate is not trusted.
public let errSecNotTrusted: OSStatus = -67843

/// No authority is the default one.
public let errSecNoDefaultAuthority: OSStatus = -67844

/// The form was turned down.
public let errSecRejectedForm: OSStatus = -67845

/// The request got lost.
public let errSecRequestLost: OSStatus = -67846

/// The request was turned down.
public let errSecRequestRejected: OSStatus = -67847

/// Addresses of this type cannot be used.
public let errSecUnsupportedAddressType: OSStatus = -67848

/// There is no such service.
public let errSecUnsupportedService: OSStatus = -67849

/// The group of tuples is malformed.
public let errSecInvalidTupleGroup: OSStatus = -67850

/// The access control lists to begin with are wrong.
public let errSecInvalidBaseACLs: OSStatus = -67851

/// The credentials in the tuple are wrong.
public let errSecInvalidTupleCredentials: OSStatus = -67852

/// The encoding is wrong.
public let errSecInvalidEncoding: OSStatus = -67853

/// The time of validity makes no sense.
public let errSecInvalidValidityPeriod: OSStatus = -67854

/// The requestor is unknown.
public let errSecInvalidRequestor: OSStatus = -67855

/// The description of the request makes no sense.
public let errSecRequestDescriptor: OSStatus = -67856

/// The description of the bundle makes no sense.
public let errSecInvalidBundleInfo: OSStatus = -67857

/// The list of revoked certificates has no entry at this index.
public let errSecInvalidCRLIndex: OSStatus = -67858

/// The fields have no values.
public let errSecNoFieldValues: OSStatus = -67859

/// Fields in this format cannot be used.
public let errSecUnsupportedFieldFormat: OSStatus = -67860

/// An index like this cannot be made.
public let errSecUnsupportedIndexInfo: OSStatus = -67861

/// The database cannot be in such a place.
public let errSecUnsupportedLocality: OSStatus = -67862

/// A record cannot have so many attributes.
public let errSecUnsupportedNumAttributes: OSStatus = -67863

/// There cannot be so many indexes.
public let errSecUnsupportedNumIndexes: OSStatus = -67864

/// There cannot be so many types of records.
public let errSecUnsupportedNumRecordTypes: OSStatus = -67865

/// One field is named more than once.
public let errSecFieldSpecifiedMultiple: OSStatus = -67866

/// The field is in another format than before.
public let errSecIncompatibleFieldFormat: OSStatus = -67867

/// The module that parses records is wrong.
public let errSecInvalidParsingModule: OSStatus = -67868

/// The database is locked by another user.
public let errSecDatabaseLocked: OSStatus = -67869

/// The database is open.
public let errSecDatastoreIsOpen: OSStatus = -67870

/// A value is missing.
public let errSecMissingValue: OSStatus = -67871

/// A query cannot have such limits.
public let errSecUnsupportedQueryLimits: OSStatus = -67872

/// A query cannot have so many conditions.
public let errSecUnsupportedNumSelectionPreds: OSStatus = -67873

/// A query cannot compare in this way.
public let errSecUnsupportedOperator: OSStatus = -67874

/// The database is at a place that makes no sense.
public let errSecInvalidDBLocation: OSStatus = -67875

/// The kind of access that is asked for makes no sense.
public let errSecInvalidAccessRequest: OSStatus = -67876

/// The description of the index makes no sense.
public let errSecInvalidIndexInfo: OSStatus = -67877

/// The new owner is invalid.
public let errSecInvalidNewOwner: OSStatus = -67878

/// There is no such way to change a record.
public let errSecInvalidModifyMode: OSStatus = -67879

/// The certificate lacks an extension that it must have.
public let errSecMissingRequiredExtension: OSStatus = -67880

/// The certificate does not mark the extended usage of its key as critical.
public let errSecExtendedKeyUsageNotCritical: OSStatus = -67881

/// The signature has no time stamp.
public let errSecTimestampMissing: OSStatus = -67882

/// The time stamp of the signature is wrong.
public let errSecTimestampInvalid: OSStatus = -67883

/// The time stamp comes from an untrusted authority.
public let errSecTimestampNotTrusted: OSStatus = -67884

/// The service for time stamps cannot be reached.
public let errSecTimestampServiceNotAvailable: OSStatus = -67885

/// The service for time stamps does not know the algorithm.
public let errSecTimestampBadAlg: OSStatus = -67886

/// The service for time stamps did not understand the request.
public let errSecTimestampBadRequest: OSStatus = -67887

/// The service for time stamps did not understand the data.
public let errSecTimestampBadDataFormat: OSStatus = -67888

/// The service for time stamps does not know what time it is.
public let errSecTimestampTimeNotAvailable: OSStatus = -67889

/// The service for time stamps does not work by this policy.
public let errSecTimestampUnacceptedPolicy: OSStatus = -67890

/// The service for time stamps does not accept an extension.
public let errSecTimestampUnacceptedExtension: OSStatus = -67891

/// The service for time stamps cannot give what else was asked for.
public let errSecTimestampAddInfoNotAvailable: OSStatus = -67892

/// The service for time stamps failed itself.
public let errSecTimestampSystemFailure: OSStatus = -67893

/// The signature does not say when it was made.
public let errSecSigningTimeMissing: OSStatus = -67894

/// The service for time stamps turned the request down.
public let errSecTimestampRejection: OSStatus = -67895

/// The service for time stamps has not come to the request yet.
public let errSecTimestampWaiting: OSStatus = -67896

/// The authority for time stamps is about to be revoked.
public let errSecTimestampRevocationWarning: OSStatus = -67897

/// The authority for time stamps was revoked.
public let errSecTimestampRevocationNotification: OSStatus = -67898

/// The policies of the certificate are not permitted.
public let errSecCertificatePolicyNotAllowed: OSStatus = -67899

/// The name in the certificate is not permitted.
public let errSecCertificateNameNotAllowed: OSStatus = -67900

/// The certificate is valid for longer than is permitted.
public let errSecCertificateValidityPeriodTooLong: OSStatus = -67901

/// The certificate is one of an authority, which is not permitted here.
public let errSecCertificateIsCA: OSStatus = -67902

/// The certificate has one extension twice.
public let errSecCertificateDuplicateExtension: OSStatus = -67903

/// The qualified certificate lacks a statement that it must have.
public let errSecMissingQualifiedCertStatement: OSStatus = -67904
