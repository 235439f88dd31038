// Orval's defaults, with fetch. The service URL is the server in the document.
export default {
  api: {
    input: process.env.DOCUMENT,
    output: {
      target: process.env.OUTPUT,
      client: "fetch",
      baseUrl: { getBaseUrlFromSpecification: true },
    },
  },
};
