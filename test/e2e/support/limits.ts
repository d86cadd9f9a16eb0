/** How long a test waits for what must happen, in milliseconds: a busy machine needs several times what a free one needs. */
export const waitMs = 120_000;
