/** Office's last report; null before the first, and in hosts that report none. */
let reported: boolean | null = null;

/** Whether the pane is on the screen: Office's last report, before one the page's own size. */
export const isShown = (): boolean =>
  reported ?? (document.visibilityState === "visible" && innerWidth * innerHeight > 0);

/** Records what the add-in has just made of the pane, since Office may not report it. */
export function recordShown(value: boolean): void {
  reported = value;
}

/**
 * Calls back each time something shows that the pane is on the screen, until the signal aborts. README has the reasons.
 *
 * @param place the element that the pane fills
 */
export function watchShown(place: HTMLElement, onShown: () => void, signal: AbortSignal): void {
  const observer = new IntersectionObserver((entries) => {
    if (entries.some(({ intersectionRect: { width, height } }) => width * height > 0)) onShown();
  });
  // An element that is observed anew is reported anew, also where nothing but the size has changed.
  const look = () => {
    observer.unobserve(place);
    observer.observe(place);
  };
  signal.addEventListener("abort", () => observer.disconnect());
  for (const name of ["resize", "online"]) window.addEventListener(name, look, { signal });
  document.addEventListener("visibilitychange", look, { signal });
  for (const name of ["pointerover", "keydown"]) window.addEventListener(name, onShown, { signal });
  void followOffice(onShown);
  look();
}

/** Office reports when a person or a command opens the pane, but not the state at the start. */
async function followOffice(onShown: () => void): Promise<void> {
  try {
    await Office.addin.onVisibilityModeChanged(({ visibilityMode }) => {
      recordShown(visibilityMode === Office.VisibilityMode.taskpane);
      if (isShown()) onShown();
    });
  } catch {} // a host without this event
}
