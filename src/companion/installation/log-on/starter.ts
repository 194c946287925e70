/** What starts the companion when the person logs on. */
export interface LogOnStarter {
  /** The system's name for it, in sentences. */
  name: string;
  /** The file that defines it; absent where the system keeps the definition itself. */
  file?: { path: string; text: string };
  /** Has the system read the definition, and starts the companion. @throws Error of the system's tool */
  enable(): Promise<void>;
  /** Ends the companion, and has the system forget it. */
  disable(): Promise<void>;
  /** Has the system notice that the file is gone. */
  afterRemoval(): Promise<void>;
  isEnabled(): Promise<boolean>;
}
