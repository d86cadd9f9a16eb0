/**
 * The contract (docs/dev/service.md) as TypeBox schemas: the one place that says how every resource and
 * every request looks. Validation, TypeScript types and openapi.json all come from here, and the
 * compiler holds the types of the nodes to it (test/types/interface.ts).
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
export * from './requests';
