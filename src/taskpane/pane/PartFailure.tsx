import { Button, MessageBar, MessageBarActions, MessageBarBody } from "@fluentui/react-components";

/** Shown in the place of a part that failed, with a button that tries again. */
export function PartFailure({ text, label, retry }: { text: string; label: string; retry: () => void }) {
  return (
    <MessageBar intent="error" layout="multiline" role="alert">
      <MessageBarBody>{text}</MessageBarBody>
      <MessageBarActions>
        <Button size="small" onClick={retry}>
          {label}
        </Button>
      </MessageBarActions>
    </MessageBar>
  );
}
