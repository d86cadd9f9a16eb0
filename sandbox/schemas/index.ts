/**
 * The API (docs/dev/service.md) as TypeBox schemas. No resource or request is described anywhere else.
 * Validation, TypeScript types and openapi.json are derived from these schemas, and the compiler compares the
 * nodes' types with them (test/types/interface.ts).
 */
export * from './common';
export * from './document';
export * from './events';
export * from './identity';
export * from './notifications';
export * from './quirks';
export * from './requests';
export * from './signatory';
export * from './templates';
