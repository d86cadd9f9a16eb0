/** Shows one line of progress to the user. */
export type Log = (line: string) => void;
