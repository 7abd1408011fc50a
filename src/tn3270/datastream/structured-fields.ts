/** A query addresses the device instead of a partition. */
export const NO_PARTITION = 0xff;
export const ONLY_PARTITION = 0x00;

/** Identifiers of structured fields, outbound unless stated otherwise (GA23-0059, chapter 5). */
export const structuredFields = {
  resetPartition: 0x00,
  readPartition: 0x01,
  eraseReset: 0x03,
  setReplyMode: 0x09,
  setWindowOrigin: 0x0b,
  createPartition: 0x0c,
  destroyPartition: 0x0d,
  activatePartition: 0x0e,
  outbound3270DataStream: 0x40,
  /** Both directions. */
  dataChain: 0x0f21,
  /** IND$FILE: both directions. */
  fileTransfer: 0xd0,
  /** Inbound only. */
  queryReply: 0x81,
  inbound3270DataStream: 0x80,
} as const;

export const readOperations = {
  query: 0x02,
  queryList: 0x03,
  readModifiedAll: 0x6e,
  readBuffer: 0xf2,
  readModified: 0xf6,
} as const;

export const queryListRequests = { list: 0x00, equivalentAndList: 0x40, all: 0x80 } as const;

/** Attributes included in inbound records (Set Reply Mode). */
export const replyModes = { field: 0x00, extendedField: 0x01, character: 0x02 } as const;

export const queryReplyCodes = {
  summary: 0x80,
  usableArea: 0x81,
  alphanumericPartitions: 0x84,
  characterSets: 0x85,
  color: 0x86,
  highlighting: 0x87,
  replyModes: 0x88,
  documentInterchange: 0x97,
  fieldValidation: 0x8a,
  fieldOutlining: 0x8c,
  distributedDataManagement: 0x95,
  dbcsAsia: 0x91,
  rpqNames: 0xa1,
  implicitPartition: 0xa6,
  segment: 0xb0,
  null: 0xff,
} as const;
