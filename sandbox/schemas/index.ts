/**
 * The interface as TypeBox schemas: the one place that says how every resource and every request
 * looks. Validation and TypeScript types both come from here.
 */
export * from './common';
export * from './document';
export * from './endpoints';
export * from './events';
export * from './identity';
export * from './quirks';
export * from './requests';
export * from './signatory';
export * from './templates';
export * from './webhooks';
