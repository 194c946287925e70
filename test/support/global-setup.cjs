/** Dates in tests mean the same everywhere. */
module.exports = () => {
  process.env.TZ = "UTC";
};
