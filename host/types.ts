/** Takes one line of progress for the screen. */
export type Log = (line: string) => void;
