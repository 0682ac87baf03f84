// What authorities answer about certificates, and databases of macOS about their records.

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
/// The authority is none that can be asked.
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
/// The reason is none that can be given.
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
/// Who asks is not known.
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
/// Somebody else has locked the database.
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
/// The new owner is none that there can be.
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
/// The time stamp comes from somebody who is not trusted.
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
