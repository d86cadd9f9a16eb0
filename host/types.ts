export type Log = (line: string) => void;
