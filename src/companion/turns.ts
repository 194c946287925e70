/**
 * Creates the number of the event loop's turn. While it stays the same, no timer has run and no message from outside
 * that was sent since has been read: whatever was found out in this turn still holds.
 */
export function createTurns(): () => number {
  let turn = 0;
  let isCounted = false;
  const end = () => {
    turn += 1;
    isCounted = false;
  };
  return () => {
    // One immediate for all who ask in a turn; it runs once the connections have been read.
    if (!isCounted) setImmediate(end);
    isCounted = true;
    return turn;
  };
}
