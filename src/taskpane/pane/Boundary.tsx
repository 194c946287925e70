import { Button, MessageBar, MessageBarActions, MessageBarBody } from "@fluentui/react-components";
import { Component, type ReactNode } from "react";
import type { Texts } from "../texts";

interface BoundaryProps {
  /** What the person calls what is within. */
  name: string;
  texts: Texts;
  children: ReactNode;
}

/** Keeps an error of one part from the others; React hands errors to nothing but a class. */
export class Boundary extends Component<BoundaryProps, { hasFailed: boolean }> {
  override state = { hasFailed: false };

  static getDerivedStateFromError = () => ({ hasFailed: true });

  override render() {
    const { name, texts, children } = this.props;
    if (!this.state.hasFailed) return children;
    return (
      <MessageBar intent="error" layout="multiline" role="alert">
        <MessageBarBody>{texts.ofCommands.partFailed(name)}</MessageBarBody>
        <MessageBarActions>
          <Button size="small" onClick={() => this.setState({ hasFailed: false })}>
            {texts.ofCommands.retry}
          </Button>
        </MessageBarActions>
      </MessageBar>
    );
  }
}
